"""A plugin for Forage: requests on standard input, responses on standard output, one JSON object a line."""
import json
import sys
import traceback

# What is searched. Replace it by your own source: a file, a database, an API.
THINGS = [
    {"id": "requests", "kind": "package", "url": "https://pypi.org/project/requests/", "title": "requests",
     "fields": {"description": "HTTP client for people", "language": "Python", "version": "2.32.3"}},
    {"id": "httpx", "kind": "package", "url": "https://pypi.org/project/httpx/", "title": "httpx",
     "fields": {"description": "HTTP client with async support", "language": "Python", "version": "0.28.1"}},
    {"id": "flask", "kind": "package", "url": "https://pypi.org/project/flask/", "title": "flask",
     "fields": {"description": "HTTP server in few lines", "language": "Python", "version": "3.1.0"}},
]

# The `config` and the `secrets` that plugin.json declares, with the user's values.
settings, secrets = {}, {}


class Failed(Exception):
    """A failure with a code of the protocol, for example 1002 unauthorized, 1003 rate limited, 1004 error of the service."""

    def __init__(self, code, message, **data):
        super().__init__(message)
        self.error = {"code": code, "message": message, "data": data}


def search(params):
    """Returns a page: its items, the cursor of the next page (None at the end of the list), and the number of all results."""
    wanted = [word.lower() for word in params["text"]]
    unwanted = [filter["value"].lower() for filter in params["filters"] if filter["field"] == "text"]

    def matches(thing):
        text = (thing["title"] + "\n" + thing["fields"]["description"]).lower()
        return all(word in text for word in wanted) and not any(word in text for word in unwanted)

    found = [thing for thing in THINGS if matches(thing)]
    # The number of results before the page is valid with any limit. A page number is not.
    cursor = params["cursor"] or "0"
    if not cursor.isdecimal():
        raise Failed(1006, "the cursor is invalid")
    start, end = int(cursor), int(cursor) + params["limit"]
    return found[start:end], str(end) if end < len(found) else None, len(found)


def answer(method, params):
    if method == "initialize":
        settings.update(params["config"])
        secrets.update(params["secrets"])
        return {"protocol": 1, "version": "0.1.0"}
    if method != "search":
        raise Failed(-32601, "unknown method " + method)
    items, next, total = search(params)
    result = {"count": len(items), "items": items, "total": {"value": total, "relation": "eq"}}
    return {**result, "next": next} if next else result


for line in sys.stdin.buffer:  # It ends when Forage closes it, and so does the plugin.
    request = json.loads(line)
    if "id" not in request:
        continue  # A cancellation: a search takes no time here, and is answered anyway.
    response = {"jsonrpc": "2.0", "id": request["id"]}
    try:
        response["result"] = answer(request["method"], request["params"])
    except Failed as failure:
        response["error"] = failure.error
    except Exception as error:
        traceback.print_exc()  # Standard error is the plugin's log, which `forage -v` shows.
        response["error"] = {"code": -32603, "message": "%s: %s" % (type(error).__name__, error)}
    print(json.dumps(response), flush=True)  # Without flush=True the line stays in a buffer.
