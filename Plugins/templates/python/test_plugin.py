"""Sends requests to the plugin as Forage does. Run it with: python3 test_plugin.py"""
import json
import os
import subprocess
import sys
import unittest

PLUGIN = os.path.join(os.path.dirname(os.path.abspath(__file__)), "plugin.py")


class PluginTest(unittest.TestCase):
    def ask(self, method, **params):
        """The responses to `initialize` and to a request."""
        hello = {"protocol": 1, "host": {"name": "test", "version": "1"}, "config": {}, "secrets": {}}
        lines = [json.dumps({"jsonrpc": "2.0", "id": id, "method": name, "params": content}) + "\n"
                 for id, (name, content) in enumerate([("initialize", hello), (method, params)])]
        run = subprocess.run([sys.executable, PLUGIN], input="".join(lines), text=True, timeout=30, check=True,
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        first, second = [json.loads(line) for line in run.stdout.splitlines()]
        self.assertEqual(first["result"]["protocol"], 1)
        return second

    def search(self, cursor=None, limit=2):
        return self.ask("search", provider="{{id}}", kind="package", text=["http"], filters=[], sort=None, limit=limit,
                        cursor=cursor, deadlineMs=4000)

    def test_pages_follow_each_other_with_any_limit(self):
        ids, cursor, limits = [], None, [2, 1, 3]
        while limits:
            result = self.search(cursor, limits.pop(0))["result"]
            self.assertEqual(result["count"], len(result["items"]))
            ids += [item["id"] for item in result["items"]]
            cursor = result.get("next")
            if cursor is None:
                break
        self.assertEqual(ids, ["requests", "httpx", "flask"])

    def test_an_invalid_cursor_is_refused(self):
        self.assertEqual(self.search("x")["error"]["code"], 1006)

    def test_an_exception_is_answered(self):
        self.assertEqual(self.ask("search")["error"]["message"], "KeyError: 'text'")

    def test_an_unknown_method_is_refused(self):
        self.assertEqual(self.ask("dance")["error"]["code"], -32601)


if __name__ == "__main__":
    unittest.main()
