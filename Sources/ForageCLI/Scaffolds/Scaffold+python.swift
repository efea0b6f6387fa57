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
      "kinds": {
        "package": {
          "text": "exact",
          "fields": ["description", "language", "version"],
          "maxPage": 100
        }
      },
      "config": {"url": {"default": "", "description": "Address of an API that answers a list of things; empty for the list in plugin.py"}}
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


    # What is searched without an API.
    THINGS = [
        {"id": "requests", "kind": "package", "url": "https://pypi.org/project/requests/", "title": "requests",
         "fields": {"description": "HTTP client for people", "language": "Python", "version": "2.32.3"}},
        {"id": "httpx", "kind": "package", "url": "https://pypi.org/project/httpx/", "title": "httpx",
         "fields": {"description": "HTTP client with async support", "language": "Python", "version": "0.28.1"}},
        {"id": "flask", "kind": "package", "url": "https://pypi.org/project/flask/", "title": "flask",
         "fields": {"description": "HTTP server in few lines", "language": "Python", "version": "3.1.0"}},
    ]


    def things():
        """What is searched. Put your own source in its place: a file, a database, an API."""
        return fetch(SETTINGS["url"], SECRETS.get("token")) if SETTINGS.get("url") else THINGS


    def search(params):
        """Finds one page: its items, where the next one begins (None behind the last), and how many there are in all."""
        wanted = [word.lower() for word in params["text"]]
        unwanted = [filter["value"].lower() for filter in params["filters"] if filter["field"] == "text"]

        def matches(thing):
            text = (thing["title"] + "\n" + thing["fields"]["description"]).lower()
            return all(word in text for word in wanted) and not any(word in text for word in unwanted)

        found = [thing for thing in things() if matches(thing)]
        # The number of results before the page is valid with any limit. A page number is not: if the API counts pages, ask for pages of a
        # fixed size and compute their number from this one, or put the page size into the cursor.
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
            return {"protocol": 1, "version": MANIFEST["version"]}
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
    """Talks to the plugin as the host does, and to it as the API does. Run it with: python3 test_plugin.py"""
    import http.server
    import json
    import os
    import subprocess
    import sys
    import threading
    import unittest

    HERE = os.path.dirname(os.path.abspath(__file__))


    class API(http.server.BaseHTTPRequestHandler):
        """A fake of the API on this machine. When `search` asks another API, let it answer as that one does; the tests stay the same."""
        status, headers_sent = 200, {}

        def do_GET(self):
            things = [{"id": str(n), "kind": "package", "url": "https://example.org/%d" % n, "title": "http %d" % n,
                       "fields": {"description": "package %d" % n}} for n in range(7)]
            body = json.dumps(things if self.status == 200 else {"message": "no"}).encode()
            self.send_response(self.status)
            for name, value in self.headers_sent.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *arguments):
            pass


    class PluginTest(unittest.TestCase):
        @classmethod
        def setUpClass(cls):
            cls.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), API)
            threading.Thread(target=cls.server.serve_forever, daemon=True).start()

        @classmethod
        def tearDownClass(cls):
            cls.server.shutdown()
            cls.server.server_close()

        def setUp(self):
            API.status, API.headers_sent = 200, {}

        def talk(self, method, params):
            """The greeting, and the messages that come back for a request."""
            settings = {"url": "http://127.0.0.1:%d" % self.server.server_port}
            greeting = {"protocol": 1, "config": settings, "secrets": {"token": "0123456789"}}
            lines = [json.dumps({"jsonrpc": "2.0", "id": place, "method": name, "params": content}) + "\n"
                     for place, (name, content) in enumerate([("initialize", greeting), (method, params)])]
            run = subprocess.run([sys.executable, os.path.join(HERE, "plugin.py")], input="".join(lines), text=True,
                                 env=dict(os.environ, no_proxy="127.0.0.1"), stdout=subprocess.PIPE, check=True, timeout=30)
            messages = [json.loads(line) for line in run.stdout.splitlines()]
            return messages[0]["result"], messages[1:]

        def search(self, cursor=None, limit=2):
            """The messages of a page."""
            params = {"provider": "\#(name)", "kind": "package", "text": ["http"], "filters": [], "limit": limit,
                      "cursor": cursor, "deadlineMs": 4000}
            return self.talk("search", params)[1]

        def test_greeting(self):
            greeting = self.talk("search", {"text": [], "filters": [], "limit": 1, "cursor": None})[0]
            self.assertEqual(greeting, {"protocol": 1, "version": "0.1.0"})

        def test_pages_follow_each_other_with_any_limit(self):
            items, cursor, limits = [], None, [2, 1, 3, 2]
            while True:
                messages = self.search(cursor, limits.pop(0))
                sent = [item for message in messages[:-1] for item in message["params"]["items"]]
                self.assertEqual(messages[-1]["result"]["count"], len(sent))
                items += [item["id"] for item in sent]
                cursor = messages[-1]["result"].get("next")
                if cursor is None:
                    break
            self.assertEqual(items, [str(n) for n in range(7)])

        def test_failures_of_the_api(self):
            for status, code in [(401, 1002), (429, 1003), (500, 1004), (404, 1004)]:
                API.status, API.headers_sent = status, {"Retry-After": "7"} if status == 429 else {}
                error = self.search()[0]["error"]
                self.assertEqual(error["code"], code)
                self.assertEqual(error["data"].get("retryAfterMs"), 7000 if status == 429 else None)

        def test_damaged_cursor(self):
            self.assertEqual(self.search("x")[0]["error"]["code"], 1006)

        def test_unknown_method(self):
            self.assertEqual(self.talk("dance", {})[1][0]["error"]["code"], -32601)


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

    3. Put your source into `things` and `search` in `plugin.py`. `test_plugin.py` has a fake of the API that `url` in `config` names: let it
       answer as your API does, and the test needs no network. What the plugin can do stands in `plugin.json`: add the fields that your items carry to
       `fields`, and a qualifier that your source applies itself to `qualifiers`, for example `"language": "exact"`; it then comes
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
