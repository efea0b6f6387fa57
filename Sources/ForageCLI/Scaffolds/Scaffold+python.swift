import Forage

extension Scaffold {
  /// A program of one file that searches a short list of its own.
  var pythonFiles: [File] {
    [
      File(path: "plugin.json", contents: pythonDescription),
      File(path: "plugin.py", contents: pythonProgram, isExecutable: true),
      File(path: "test_plugin.py", contents: pythonTest, isExecutable: true),
      File(path: "README.md", contents: pythonReadme),
    ]
  }

  private var pythonDescription: String {
    #"""
    {
      "forage": 1,
      "id": "\#(name)",
      "name": "\#(title)",
      "version": "0.1.0",
      "command": ["python3", "plugin.py"],
      "files": ["plugin.py"],
      "kinds": ["package"],
      "providers": [
        {
          "id": "\#(name)",
          "name": "\#(title)",
          "kinds": ["package"],
          "text": "exact",
          "paging": {"maxPage": 100},
          "fields": ["description", "language", "version"]
        }
      ]
    }

    """#
  }

  private var pythonProgram: String {
    #"""
    #!/usr/bin/env python3
    """A plugin of Forage: one JSON message a line, requests on standard input, answers on standard output."""
    import json
    import os
    import sys

    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "plugin.json"), encoding="utf-8") as file:
        MANIFEST = json.load(file)

    # What the user has set for this plugin: `config` and `secrets` of plugin.json, with the values from the user's config.yaml.
    SETTINGS = {}
    SECRETS = {}


    class Failed(Exception):
        """A failure with the code that the host acts on: 1002 login refused, 1003 limit reached, 1004 error of the source, 1006 bad cursor."""

        def __init__(self, code, message, **data):
            super().__init__(message)
            self.code, self.data = code, data


    def fetch(url, token=None):
        """The JSON that an API answers; for a source of your own that is one. What goes wrong is reported with its code."""
        from urllib.error import HTTPError
        from urllib.request import Request, urlopen

        request = Request(url, headers={"Authorization": "Bearer " + token} if token else {})
        try:
            with urlopen(request, timeout=3) as response:
                return json.load(response)
        except HTTPError as error:
            if error.code in (401, 403):
                raise Failed(1002, "the API refuses the token", hint="set a valid token")
            if error.code == 429:
                seconds = error.headers.get("Retry-After", "")
                raise Failed(1003, "the limit of the API is reached", retryAfterMs=1000 * int(seconds if seconds.isdigit() else 60))
            raise Failed(1004, "the API answered with status %d" % error.code, retryable=error.code >= 500)
        except (OSError, ValueError) as error:
            raise Failed(1004, "the API does not answer: %s" % error, retryable=True)


    # What is searched. Put your own source in its place: a file, a database, an API.
    THINGS = [
        {"id": "requests", "kind": "package", "url": "https://pypi.org/project/requests/", "title": "requests",
         "fields": {"description": "HTTP client for people", "language": "Python", "version": "2.32.3"}},
        {"id": "httpx", "kind": "package", "url": "https://pypi.org/project/httpx/", "title": "httpx",
         "fields": {"description": "HTTP client with async support", "language": "Python", "version": "0.28.1"}},
        {"id": "flask", "kind": "package", "url": "https://pypi.org/project/flask/", "title": "flask",
         "fields": {"description": "HTTP server in few lines", "language": "Python", "version": "3.1.0"}},
    ]


    def search(params):
        """Finds one page: its items, where the next one begins (None behind the last), and how many there are in all."""
        wanted = [word.lower() for word in params["text"]]
        unwanted = [filter["value"].lower() for filter in params["filters"] if filter["field"] == "text"]

        def matches(thing):
            text = (thing["title"] + "\n" + thing["fields"]["description"]).lower()
            return all(word in text for word in wanted) and not any(word in text for word in unwanted)

        found = [thing for thing in THINGS if matches(thing)]
        start = params["cursor"] or "0"
        if not start.isdecimal():
            raise Failed(1006, "the cursor is damaged", hint="begin again")
        start = int(start)
        end = start + params["limit"]
        return found[start:end], str(end) if end < len(found) else None, len(found)


    def send(message):
        # Without flush=True the line stays in a buffer, and the host hears nothing.
        print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)


    def answer(method, params, id):
        if method == "initialize":
            SETTINGS.update(params.get("config", {}))
            SECRETS.update(params.get("secrets", {}))
            plugin = {"name": MANIFEST["id"], "version": MANIFEST["version"]}
            return {"protocol": 1, "plugin": plugin, "providers": MANIFEST["providers"]}
        if method != "search":
            raise LookupError("there is no method " + method)
        items, next, total = search(params)
        if items:
            send({"method": "search/items", "params": {"id": id, "seq": 0, "items": items}})
        result = {"count": len(items), "complete": True, "total": {"value": total, "relation": "eq"}}
        # A filter that is not applied here is named, and the host applies it. Only the end of the list has no "next".
        result["unapplied"] = [filter["n"] for filter in params["filters"] if filter["field"] != "text"]
        return {**result, "next": next} if next else result


    for line in sys.stdin:  # It ends when the host closes it, and so does the plugin.
        request = {}
        try:
            request = json.loads(line)
            if "id" in request:  # What has no id, such as $/cancel, needs no answer; searches here take no time.
                send({"id": request["id"], "result": answer(request["method"], request["params"], request["id"])})
        except Failed as error:
            send({"id": request["id"], "error": {"code": error.code, "message": str(error), "data": error.data}})
        except Exception as error:
            id = request.get("id") if isinstance(request, dict) else None
            code = -32601 if type(error) is LookupError else -32603
            send({"id": id, "error": {"code": code, "message": str(error) or type(error).__name__}})

    """#
  }

  private var pythonTest: String {
    #"""
    #!/usr/bin/env python3
    """Talks to the plugin as the host does. Run it with: python3 test_plugin.py"""
    import json
    import os
    import subprocess
    import sys
    import unittest

    HERE = os.path.dirname(os.path.abspath(__file__))


    def talk(*requests):
        """The messages that come back for requests, which are numbered from 0."""
        lines = [json.dumps({"jsonrpc": "2.0", "id": place, "method": method, "params": params}) + "\n"
                 for place, (method, params) in enumerate(requests)]
        run = subprocess.run([sys.executable, os.path.join(HERE, "plugin.py")], input="".join(lines), text=True,
                             stdout=subprocess.PIPE, check=True, timeout=30)
        return [json.loads(line) for line in run.stdout.splitlines()]


    def page(words, cursor=None, limit=2):
        return ("search", {"provider": "\#(name)", "kind": "package", "text": words, "filters": [], "limit": limit,
                           "cursor": cursor, "deadlineMs": 4000})


    class PluginTest(unittest.TestCase):
        def test_greeting(self):
            greeting = talk(("initialize", {"protocol": [1], "config": {}, "secrets": {}}))[0]["result"]
            self.assertEqual(greeting["protocol"], 1)
            self.assertEqual(greeting["providers"][0]["id"], "\#(name)")

        def test_pages_follow_each_other(self):
            items, cursor = [], None
            while True:
                messages = talk(page(["http"], cursor))
                sent = [item for message in messages[:-1] for item in message["params"]["items"]]
                self.assertEqual(messages[-1]["result"]["count"], len(sent))
                items += sent
                cursor = messages[-1]["result"].get("next")
                if cursor is None:
                    break
            self.assertEqual(len({item["id"] for item in items}), 3)

        def test_damaged_cursor(self):
            self.assertEqual(talk(page(["http"], "x"))[0]["error"]["code"], 1006)

        def test_unknown_method(self):
            self.assertEqual(talk(("dance", {}))[0]["error"]["code"], -32601)


    if __name__ == "__main__":
        unittest.main()

    """#
  }

  private var pythonReadme: String {
    #"""
    # \#(title)

    A plugin for Forage: a program of one Python file that needs nothing but `python3`. It searches a list of three packages until you make it
    search something better.

    1. Check it, and run its test:

           forage plugin validate .
           python3 test_plugin.py

    2. Try it without installing it:

           forage search --plugin . -p \#(name) -k package http

    3. Put your source into `search` in `plugin.py`. What the plugin can do stands in `plugin.json`: add the fields that your items carry to
       `fields`, and a qualifier that your source applies itself to `qualifiers`, for example `"language": {"push": "exact"}`; it then comes
       in `params["filters"]` with an `op`: `eq`, `ne` for `-language:`, and others. `unapplied` must name every filter that you do not apply.
       With `sorts`, `params["sort"]` and `params["order"]` (`asc` or `desc`) ask for an order. See `forage plugin guide protocol`, and check
       it again.

       An API with a key: name the secret in `plugin.json` (`"secrets": ["token"]`), bind it to a variable of your environment in
       `~/.config/forage/config.yaml`, and read `SECRETS["token"]`. `fetch` reports a refused token (1002), a limit (1003) and an error of
       the API (1004). Settings go the same way, from `config` to `SETTINGS`. Both reach `validate` and `--plugin` as well,
       which ask before they pass on a secret (without a terminal: `--yes`):

           providers:
             \#(name): {secrets: {token: {env: MY_TOKEN}}}

    4. Install it, and allow it to run. Forage shows what it would run, and asks again after every change:

           forage plugin install .
           forage plugin trust \#(name)

    """#
  }
}
