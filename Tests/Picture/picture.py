#!/usr/bin/env python3
"""Draws the pictures of the README from the real program: a screen of `forage browse` and a page of `forage inspect`.

Usage: picture.py FORAGE FOLDER

FORAGE is the program. FOLDER has clones of the repositories in CLONES, in folders of their names; they are only read. A
server on this machine stands in for GitHub and answers with the facts below. The pictures have no path of this machine; they
change with the clones and with the days that pass.
"""

import base64
import codecs
import datetime
import fcntl
import http.server
import json
import os
import re
import select
import shutil
import struct
import subprocess
import sys
import termios
import threading
import time
import unicodedata
import urllib.parse
import xml.etree.ElementTree
from xml.sax.saxutils import escape

FOLDER = os.path.dirname(os.path.abspath(__file__))
COLUMNS, ROWS = 140, 22
QUERY = "command line"
TOKEN = "picture"
# As long as the folder that stands for it, so that no column moves.
HOME_SHOWN = "/home/me"

# Name, description, language, stars, forks, days since the last push, license, topics: rounded.
REPOSITORIES = [
    ("junegunn/fzf", "A command-line fuzzy finder", "Go", 72000, 2600, 2, "MIT", ["cli", "fzf", "go", "tmux", "unix", "vim"]),
    ("cli/cli", "GitHub's official command line tool", "Go", 40000, 7000, 1, "MIT", ["cli", "git", "github-api-v4", "golang"]),
    ("o2sh/onefetch", "Command-line Git information tool", "Rust", 11000, 330, 6, "MIT",
     ["cli", "command-line", "git", "rust", "terminal"]),
    ("spf13/cobra", "A Commander for modern Go CLI interactions", "Go", 41000, 3000, 12, "Apache-2.0", ["cli", "command-line"]),
    ("clap-rs/clap", "A full featured, fast Command Line Argument Parser for Rust", "Rust", 15000, 1100, 3, "Apache-2.0",
     ["argument-parsing", "clap", "rust"]),
    ("sharkdp/fd", "A simple, fast and user-friendly alternative to 'find'", "Rust", 39000, 900, 9, "Apache-2.0",
     ["cli", "command-line", "filesystem"]),
    ("jqlang/jq", "Command-line JSON processor", "C", 32000, 1700, 20, "MIT", ["jq"]),
    ("charmbracelet/gum", "A tool for glamorous shell scripts", "Go", 21000, 400, 15, "MIT", ["bash", "shell"]),
    ("Textualize/rich-cli", "Rich-cli is a command line toolbox for fancy output in the terminal", "Python", 3300, 90, 400, "MIT",
     ["python", "terminal"]),
    ("apple/swift-argument-parser", "Straightforward, type-safe argument parsing for Swift", "Swift", 3600, 360, 5, "Apache-2.0",
     ["command-line", "swift"]),
    ("google/python-fire", "A library for automatically generating command line interfaces from any Python object", "Python",
     28000, 1500, 90, "Apache-2.0", ["cli", "python"]),
    ("tj/commander.js", "node.js command-line interfaces made easy", "JavaScript", 27000, 1700, 30, "MIT", []),
    ("fastapi/typer", "Typer, build great CLIs. Easy to code. Based on Python type hints.", "Python", 18000, 800, 4, "MIT",
     ["cli", "python", "terminal"]),
    ("junegunn/vim-plug", "Minimalist Vim Plugin Manager", "Vim Script", 35000, 2000, 60, "MIT", ["vim"]),
]
CLONES = ["junegunn/fzf", "cli/cli", "o2sh/onefetch"]
FAVORITE, STARRED = "jqlang/jq", "junegunn/fzf"


def ago(days):
    return (datetime.datetime.now(datetime.timezone.utc) - datetime.timedelta(days=days, hours=1)).strftime("%Y-%m-%dT%H:%M:%SZ")


def repository(number):
    name, description, language, stars, forks, days, license, topics = REPOSITORIES[number]
    login = name.split("/")[0]
    return {
        "id": number + 1, "node_id": "", "name": name.split("/")[1], "full_name": name, "private": False, "fork": False,
        "owner": {"login": login, "id": number + 1, "type": "Organization"}, "html_url": "https://github.com/" + name,
        "url": "", "description": description, "homepage": None, "language": language, "topics": topics, "size": 1000,
        "stargazers_count": stars, "watchers_count": stars, "forks_count": forks, "open_issues_count": 12, "archived": False,
        "default_branch": "main", "license": {"key": license.lower(), "name": license, "spdx_id": license, "url": None},
        "created_at": ago(3000), "updated_at": ago(days), "pushed_at": ago(days), "score": 1.0,
        "subscribers_count": stars // 100, "network_count": forks,
    }


class GitHub(http.server.BaseHTTPRequestHandler):
    """Answers the requests that the screen makes; everything else is not found."""

    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_GET(self):
        path = urllib.parse.urlparse(self.path).path.strip("/").removeprefix("api/v3/").split("/")
        body = self.answer(path)
        text = b"" if body is None else json.dumps(body).encode()
        self.send_response(404 if body is None else 200)
        for name, value in [("Content-Type", "application/json"), ("Content-Length", len(text)), ("X-RateLimit-Limit", 5000),
                            ("X-RateLimit-Remaining", 4990), ("X-RateLimit-Reset", int(time.time()) + 3600)]:
            self.send_header(name, str(value))
        self.end_headers()
        self.wfile.write(text)

    def do_PUT(self):
        self.send_response(204)
        self.end_headers()

    def answer(self, path):
        if path == ["search", "repositories"]:
            items = [repository(number) for number in range(len(REPOSITORIES))]
            return {"total_count": len(items), "incomplete_results": False, "items": items}
        if path == ["rate_limit"]:
            limit = {"limit": 5000, "remaining": 4990, "used": 10, "reset": int(time.time()) + 3600}
            return {"resources": {"core": limit, "search": limit}, "rate": limit}
        names = [known[0] for known in REPOSITORIES]
        if path[0] != "repos" or "/".join(path[1:3]) not in names:
            return None
        number = names.index("/".join(path[1:3]))
        name, description, language = REPOSITORIES[number][:3]
        part = path[3:]
        if not part:
            return repository(number)
        if part == ["languages"]:
            return {language: 900_000, "Shell": 40_000}
        if part == ["readme"]:
            text = f"# {name.split('/')[1]}\n\n{description}\n"
            return {"type": "file", "encoding": "base64", "size": len(text), "name": "README.md", "path": "README.md",
                    "sha": "0" * 40, "content": base64.b64encode(text.encode()).decode(), "url": "", "git_url": None,
                    "html_url": None, "download_url": None, "_links": {"self": "", "git": None, "html": None}}
        return [] if part == ["contributors"] else None


class Screen:
    """The cells of a terminal, as far as the program's sequences need it: addressing, clearing a line, styles."""

    def __init__(self):
        self.cells = [[(" ", "")] * COLUMNS for _ in range(ROWS)]
        self.row = self.column = 0
        self.style = ""
        self.rest = ""

    def feed(self, text):
        text = self.rest + text
        # A sequence that has begun is read when the rest has come.
        begun = re.search(r"\x1b(\[[0-9;?]*)?$", text)
        self.rest = text[begun.start():] if begun else ""
        text = text[:begun.start()] if begun else text
        for codes, final, other in re.findall(r"\x1b\[([0-9;?]*)([A-Za-z])|([^\x1b])", text):
            if other:
                self.put(other)
            elif final == "H":
                self.row, self.column = (int(part) - 1 for part in codes.split(";"))
            elif final == "K":
                self.cells[self.row] = [(" ", "")] * COLUMNS
            elif final == "m":
                self.style = "" if codes in ("", "0") else codes

    def put(self, character):
        if character < " " or self.column >= COLUMNS:
            return
        self.cells[self.row][self.column] = (character, self.style)
        self.column += 1
        if unicodedata.east_asian_width(character) in "WF" and self.column < COLUMNS:
            self.cells[self.row][self.column] = ("", self.style)
            self.column += 1

    def text(self):
        return "\n".join("".join(cell[0] for cell in row).rstrip() for row in self.cells)


def run_in_terminal(command, environment, is_done):
    """Runs a command on a pseudo-terminal until its screen is as wanted, and ends it with `q`."""
    master, terminal = os.openpty()
    fcntl.ioctl(master, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
    child = subprocess.Popen(command, stdin=terminal, stdout=terminal, stderr=terminal, env=environment, start_new_session=True)
    os.close(terminal)
    screen, decoder = Screen(), codecs.getincrementaldecoder("utf-8")()
    end, quiet = time.time() + 20, 0
    while quiet < 10:
        if time.time() > end:
            child.kill()
            sys.exit(f"forage: the screen did not become what was expected:\n{screen.text()}")
        if select.select([master], [], [], 0.1)[0]:
            screen.feed(decoder.decode(os.read(master, 65536)))
            quiet = 0
        elif is_done(screen.text()):
            quiet += 1
    os.write(master, b"q")
    child.wait(timeout=10)
    os.close(master)
    return screen


# The colors of the page: those of a common dark terminal.
BACK, FRONT, QUIET, BAR = "#15191f", "#d5dae1", "#8b95a3", "#222831"
COLORS = ["#3b434e", "#e5707a", "#8cc98f", "#e0b46c", "#6fa8e6", "#c58fe0", "#62c3c9", "#d5dae1"]
WIDTH, HEIGHT, MARGIN, TITLE = 8, 19, 14, 34


def look(style):
    """The color of the text, that behind it, and whether it is bold; no color behind the text is None."""
    front, back, is_bold, is_reversed = FRONT, None, False, False
    # The depth of colors is chosen in `main`: RGB, in five parameters.
    found = re.search(r"48;2;(\d+);(\d+);(\d+)", style)
    if found:
        back = "#" + "".join(f"{int(part):02x}" for part in found.groups())
        style = style.replace(found.group(), "")
    for code in (int(code) for code in style.split(";") if code):
        if code == 1:
            is_bold = True
        elif code == 2:
            front = QUIET
        elif code == 7:
            is_reversed = True
        elif 30 <= code <= 37:
            front = COLORS[code - 30]
    return (BACK, front, is_bold) if is_reversed else (front, back, is_bold)


def terminal_picture(screen, title):
    """The cells as SVG text. Each run of text has the width of its cells, whatever font the reader has."""
    wide, high = COLUMNS * WIDTH + 2 * MARGIN, ROWS * HEIGHT + TITLE + MARGIN
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}" width="{wide}" height="{high}" '
        f'role="img" fill="{FRONT}">',
        f"<title>{escape(title)}</title>",
        "<style>text{font:13.3px ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono','Liberation Mono',monospace;"
        "white-space:pre}.bold{font-weight:bold}</style>",
        f'<rect width="{wide}" height="{high}" rx="9" fill="{BACK}"/>',
        f'<path d="M0 9a9 9 0 0 1 9-9h{wide - 18}a9 9 0 0 1 9 9v{TITLE - 17}h-{wide}z" fill="{BAR}"/>',
        f'<text x="{wide / 2:g}" y="18" text-anchor="middle">{escape(title)}</text>',
    ]
    for number, row in enumerate(screen.cells):
        top = TITLE + number * HEIGHT
        start = 0
        while start < COLUMNS:
            style = row[start][1]
            end = start + 1
            while end < COLUMNS and row[end][1] == style:
                end += 1
            front, back, is_bold = look(style)
            if back:
                parts.append(f'<rect x="{MARGIN + start * WIDTH}" y="{top}" width="{(end - start) * WIDTH}" height="{HEIGHT}" '
                             f'fill="{back}" shape-rendering="crispEdges"/>')
            # Words far from each other are placed on their own.
            text = "".join(cell[0] or "\0" for cell in row[start:end])
            for found in re.finditer(r"\S+(?: \S+)*", text):
                words = found.group().replace("\0", "")
                attributes = "" if front == FRONT else f' fill="{front}"'
                attributes += ' class="bold"' if is_bold else ""
                parts.append(f'<text x="{MARGIN + (start + found.start()) * WIDTH}" y="{top + 14}" '
                             f'textLength="{len(found.group()) * WIDTH}" lengthAdjust="spacingAndGlyphs"{attributes}>'
                             f"{escape(words)}</text>")
            start = end
    return "\n".join(parts) + "\n</svg>\n"


PAGE_WIDTH, PAGE_HEIGHT = 1000, 800


def page_picture(page, title):
    """The page itself inside of an SVG, which a browser draws as it draws the page; what is further down is cut off."""
    style = re.search(r"<style>.*?</style>", page, re.S).group()
    body = re.search(r"<body>(.*)</body>", page, re.S).group(1).replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ')
    # There is no root element and no body here.
    style = style.replace(":root", ".page").replace("\nbody {", "\n.page {").replace("rem", "em")
    text = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {PAGE_WIDTH} {PAGE_HEIGHT}" width="{PAGE_WIDTH}" '
        f'height="{PAGE_HEIGHT}" role="img">\n<title>{escape(title)}</title>\n'
        f'<foreignObject width="{PAGE_WIDTH}" height="{PAGE_HEIGHT}">\n'
        f'<div xmlns="http://www.w3.org/1999/xhtml">{style}<div class="page">{body}</div></div>\n'
        "</foreignObject>\n</svg>\n")
    return text


def main(forage, folder):
    home = f"/tmp/{os.getpid() % 1000:03}"
    os.mkdir(home)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), GitHub)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    environment = {
        "HOME": home, "PATH": "/usr/local/bin:/usr/bin:/bin", "TERM": "xterm-256color", "COLORTERM": "truecolor",
        "LANG": "C.UTF-8", "FORAGE_GITHUB_URL": f"http://127.0.0.1:{server.server_port}/api/v3", "GH_ENTERPRISE_TOKEN": TOKEN,
    }
    try:
        for name in CLONES:
            clone = f"{home}/src/{name}"
            subprocess.run(["git", "clone", "--quiet", "--shared", f"{folder}/{name.split('/')[1]}", clone], check=True)
            subprocess.run(["git", "-C", clone, "remote", "set-url", "origin", f"https://github.com/{name}.git"], check=True)
        for command in [["clones", "add", f"{home}/src"], ["favorite", "add", FAVORITE], ["star", STARRED]]:
            subprocess.run([forage] + command, env=environment, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        screen = run_in_terminal(
            [forage, "browse", QUERY], environment, lambda text: f"github {len(REPOSITORIES)}" in text and "loading" not in text)
        page = subprocess.run(
            [forage, "inspect", f"{home}/src/{CLONES[-1]}", "--format", "html", "--only",
             "commits,tags,languages,lines,licenses,authors,activity,churn"],
            env=environment, check=True, stdout=subprocess.PIPE, text=True).stdout
    finally:
        shutil.rmtree(home)
    for name, text in [("browse", terminal_picture(screen, f'forage browse "{QUERY}"')),
                       ("inspect", page_picture(page, "forage inspect --format html"))]:
        text = text.replace(home, HOME_SHOWN)
        xml.etree.ElementTree.fromstring(text)
        with open(os.path.join(FOLDER, name + ".svg"), "w", encoding="utf-8") as file:
            file.write(text)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2]))
