#!/usr/bin/env python3
"""A Forage plugin (forage-plugin/1) that searches apt's package lists on this machine.

It needs Python 3.9 or later, only the standard library, and no network. Lists are read as a stream, and a regular expression finds
candidate records, so that time and memory stay small for large lists.
"""

import json
import os
import re
import select
import sys
import time

KIND = "package"

LINE_LIMIT = 1 << 20  # The protocol's maximum size of a message in bytes.
LINE_TARGET = 1 << 18  # The approximate size of a line of items, so that the first arrive early.
WAITING_LIMIT = 64  # The maximum number of queued requests; the host normally sends one at a time.
PAGE_LIMIT = 200  # The protocol's maximum number of items of a page.
BLOCK = 1 << 20  # Bytes processed between two checks of standard input: about 5 ms.
RECORD_LIMIT = 4 << 20  # The maximum size of a record, which bounds memory for files without records.
TEXT_LIMIT = 2000  # The maximum length of a field in characters, so that an item stays below 64 KiB.
WINDOW = 1000  # The number of records kept for further pages: a few megabytes.

MALFORMED, INVALID, NO_METHOD, BAD_PARAMS, INTERNAL = -32700, -32600, -32601, -32602, -32603
CANCELLED, UPSTREAM, UNSUPPORTED, BAD_CURSOR, DEADLINE, CONFIGURATION = 1001, 1004, 1005, 1006, 1007, 1008

# The version and the sort keys are read from plugin.json, so that they are identical to what the host reads.
with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "plugin.json"), encoding="utf-8") as file:
    MANIFEST = json.load(file)
SORTS = {"relevance", *MANIFEST["kinds"][KIND]["sorts"]}

# Hosts on which an address with owner and name is a repository.
FORGES = {"github.com", "gitlab.com", "codeberg.org", "bitbucket.org", "git.sr.ht", "framagit.org", "0xacab.org",
          "salsa.debian.org", "invent.kde.org", "gitlab.gnome.org", "gitlab.freedesktop.org"}
# Packages that belong to another one are listed after it.
PARTS = re.compile(r"[-.+]")
SIDE = re.compile(r"-(?:dbg|dbgsym|doc|docs|dev|data|common|l10n|locales?|examples|tests)$|-(?:l10n|help|i18n|lang)-")


class Failure(Exception):
    """An error response."""

    def __init__(self, code, message, hint=None):
        super().__init__(message)
        self.code, self.message = code, message
        self.data = {"hint": hint} if hint else {}


def log(text):
    """Writes a line to standard error; standard output is reserved for messages."""
    try:
        os.write(2, (text + "\n").encode("utf-8", "replace"))
    except OSError:
        pass  # The log is not read.


# Records


def value(record, name):
    """The first line of a field; None if it is absent or empty. The record begins with a line break."""
    start = record.find(b"\n" + name + b":")
    if start < 0:
        return None
    end = record.find(b"\n", start + 1)
    return record[start + len(name) + 2: len(record) if end < 0 else end].strip() or None


def text(data):
    """Decodes UTF-8, or Latin-1 as used by old records."""
    if data is None:
        return None
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def synopsis(record):
    return text(value(record, b"Description") or value(record, b"Description-en")) or ""


def source_of(record, name):
    source = value(record, b"Source")
    return text(source).split(" ")[0] if source else name


def size_of(record):
    size = value(record, b"Installed-Size")
    return int(size) if size and len(size) < 16 and size.isdigit() else None


def weight(character):
    """The sort weight of a character: `~` before the end, the end before letters, letters before others."""
    if character == "~":
        return -1
    return ord(character) if character.isalpha() else ord(character) + 256


def version_key(version):
    """A key that sorts versions as dpkg does (deb-version(7))."""
    epoch, colon, rest = version.partition(":")
    if not colon:
        epoch, rest = "0", version
    upstream, _, revision = rest.rpartition("-") if "-" in rest else (rest, "", "")

    def part(string):
        key = []
        for other, digits in re.findall(r"([^0-9]*)([0-9]*)", string):
            key.append(tuple(weight(c) for c in other) + (0,))
            # Limits the length of numbers, because parsing very long ones is slow.
            key.append((int(digits[:20] or "0"),))
        return key

    return (int(epoch[:20]) if epoch.isdecimal() else 0, part(upstream), part(revision or "0"))


# Lists


def packed(command):
    """Starts a program that decompresses a file to its standard output."""
    import subprocess

    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, bufsize=0)
    if sys.platform == "linux":
        # A large pipe lets decompression and search overlap.
        import fcntl
        try:
            fcntl.fcntl(process.stdout, 1031, BLOCK)  # F_SETPIPE_SZ
        except OSError:
            pass  # Optional.
    return process


def helper(path):
    """The command that decompresses formats which the standard library does not support."""
    import shutil

    apt = "/usr/lib/apt/apt-helper"
    if os.access(apt, os.X_OK):
        return [apt, "cat-file", path]
    name = "lz4" if path.endswith(".lz4") else "zstd"
    program = shutil.which(name)
    if program is None:
        raise OSError("it cannot be decompressed: neither apt-helper nor %s is installed" % name)
    return [program, "-dc", path]


def blocks(path):
    """Yields a list in blocks of complete records. Each block begins with the line break before its first record."""
    process = None
    if path.endswith((".lz4", ".zst")):
        os.close(os.open(path, os.O_RDONLY))  # Raises an error if it cannot be read.
        process = packed(helper(path))
        stream = process.stdout
    elif path.endswith(".gz"):
        import gzip
        stream = gzip.open(path)
    elif path.endswith(".xz"):
        import lzma
        stream = lzma.open(path)
    elif path.endswith(".bz2"):
        import bz2
        stream = bz2.open(path)
    else:
        stream = open(path, "rb", buffering=0)
    carry = b"\n"
    try:
        while True:
            data = stream.read(BLOCK)
            if not data:
                break
            data = carry + data
            cut = data.rfind(b"\n\n")
            if cut < 0:
                carry = data
                if len(carry) > RECORD_LIMIT:
                    raise ValueError("it has no records")
                continue
            carry = data[cut + 1:]
            yield data[: cut + 1]
        if carry.strip():
            yield carry
        if process and process.wait() != 0:
            raise ValueError("it cannot be decompressed")
    finally:
        stream.close()
        if process:
            process.kill()
            process.wait()


def records(block, pattern):
    """Yields the records of a block that contain a line matching the pattern."""
    position = 0
    while True:
        hit = pattern.search(block, position)
        if hit is None:
            return
        start = max(block.rfind(b"\n\n", position, hit.start() + 1) + 1, position)
        end = block.find(b"\n\n", hit.start() + 1)
        if end < 0:
            yield block[start:]
            return
        yield block[start:end]
        position = end + 1


ALL = re.compile(rb"\nPackage:")


class Archive:
    """The archive of a list, from the release file next to it."""

    def __init__(self, path):
        self.path = path
        self.origin = self.codename = ""
        # The release file of `host_path_dists_suite_component_binary-arch_Packages` is `host_path_dists_suite_InRelease`.
        stem, joint, _ = os.path.basename(path).rpartition("_")
        while joint and not self.origin:
            for name in (stem + "_InRelease", stem + "_Release"):
                try:
                    with open(os.path.join(os.path.dirname(path), name), "rb") as file:
                        head = b"\n" + file.read(4096)
                except OSError:
                    continue
                self.origin = text(value(head, b"Origin")) or ""
                self.codename = text(value(head, b"Codename")) or ""
                break
            stem, joint, _ = stem.rpartition("_")
        self.registry = (self.origin or "Debian").split(" ")[0].lower()

    def page(self, name, homepage):
        """The web page of a package."""
        codename = re.split(r"[-/]", self.codename)[0]
        if self.registry in ("debian", "ubuntu"):
            return "https://packages.%s.%s/%s%s" % (
                self.registry, "org" if self.registry == "debian" else "com", codename and codename + "/", quoted(name))
        return homepage


def quoted(name):
    """Percent-encodes a name as a path segment."""
    return "".join(
        chr(b) if chr(b).isalnum() and b < 128 or b in b"-._~+" else "%%%02X" % b for b in name.encode("utf-8", "replace"))


def web(address):
    """The address if it is valid: http or https, with a host, without spaces and credentials; otherwise None."""
    if address and re.fullmatch(r"https?://[^\s/?#@\\\x00-\x20]+(?:[/?#][^\s\x00-\x20\x7f-\x9f]*)?", address, re.I):
        return address
    return None


def repository(address):
    """The address if it is a repository on a forge; otherwise None."""
    found = re.match(r"https?://(?:www\.)?([^/:?#]+)/([^/?#]+)/([^/?#]+)", address or "", re.I)
    if found is None:
        return None
    host = found[1].lower()
    return address if host in FORGES or host.startswith("gitlab.") else None


# Queries


def bounds(filter, op):
    """The lowest and highest number that satisfy a condition (None for no bound); None for an unsupported condition."""
    wanted = filter.get("value")
    if op == "range":
        return wanted if isinstance(wanted, list) and len(wanted) == 2 and None not in map(whole, wanted) else None
    number = whole(wanted)
    if number is None:
        return None
    return {"eq": (number, number), "lt": (None, number - 1), "le": (None, number), "gt": (number + 1, None),
            "ge": (number, None)}.get(op)


def whole(number):
    return number if isinstance(number, int) and not isinstance(number, bool) else None


def truth(flag):
    return {True: True, False: False, "true": True, "false": False}.get(flag) if isinstance(flag, (bool, str)) else None


class Query:
    """A query, parsed from the parameters of a search."""

    def __init__(self, params, index):
        self.tests = []
        self.index = index
        self.words = [word.lower() for word in strings(params, "text")]
        filters = params.get("filters") or []
        if not isinstance(filters, list):
            raise Failure(BAD_PARAMS, "filters is not a list")
        for filter in filters:
            if not isinstance(filter, dict):
                raise Failure(BAD_PARAMS, "a filter is not an object")
            test = self.test(filter, filter.get("op"))
            if test is None:
                raise Failure(UNSUPPORTED, "packages cannot be filtered by this %s" % str(filter.get("field"))[:100])
            self.tests.append((test, filter.get("negated") is True))
        self.sort = params.get("sort") or "relevance"
        self.descending = params.get("order", "desc") != "asc"
        if self.sort not in SORTS:
            raise Failure(UNSUPPORTED, "packages cannot be sorted by " + str(self.sort)[:100])
        # A checksum of the query, by which cursors are checked.
        request = json.dumps([self.words, filters, self.sort, self.descending], sort_keys=True)
        import binascii
        self.mark = binascii.crc32(request.encode("utf-8", "replace"))
        self.pattern = self.seed()

    def test(self, filter, op):
        """Returns a predicate on a record and its name; None for an unsupported condition."""
        field, wanted = filter.get("field"), filter.get("value")
        if field == "size":
            limits = bounds(filter, op)
            if limits is None:
                return None
            low, high = limits

            def sized(record, name):
                size = size_of(record)
                return size is not None and (low is None or size >= low) and (high is None or size <= high)

            return sized
        if op == "in" and isinstance(wanted, list):
            # One of several values must match.
            tests = [self.test({"field": field, "value": one}, "eq") for one in wanted]
            return (lambda record, name: any(test(record, name) for test in tests)) if tests and None not in tests else None
        if op != "eq":
            return None
        if field in ("installed", "is"):
            wanted = truth(wanted) if field == "installed" else True if wanted == "installed" else None
            if wanted is None:
                return None
            installed = self.index.installed()
            return lambda record, name: (name in installed) == wanted
        if not isinstance(wanted, str) or not wanted:
            return None
        wanted = wanted.lower()
        if field == "text":
            return lambda record, name: wanted in name.lower() or wanted in synopsis(record).lower()
        if field == "name":
            return lambda record, name: wanted in name.lower()
        if field == "source":
            return lambda record, name: source_of(record, name).lower() == wanted
        if field == "maintainer":
            return lambda record, name: wanted in (text(value(record, b"Maintainer")) or "").lower()
        if field == "architecture":
            return lambda record, name: (text(value(record, b"Architecture")) or "").lower() == wanted
        if field == "section":

            def within(record, name):
                section = (text(value(record, b"Section")) or "").lower()
                return wanted in (section, section.rpartition("/")[2])

            return within
        if field == "version":

            def versioned(record, name):
                version = (text(value(record, b"Version")) or "").lower()
                return wanted in (version, version.partition(":")[2], re.sub(r"^[0-9]+:|-[^-]*$", "", version))

            return versioned
        return None

    def seed(self):
        """A pattern of which every matching record contains a match: the longest ASCII word."""
        plain = [word for word in self.words if word.isascii()]
        if not plain:
            return ALL
        word = re.escape(max(plain, key=len).encode("ascii"))
        return re.compile(rb"\n(?:Package|Description(?:-en)?):[^\n]*?(?i:" + word + rb")")

    def key(self, record, name):
        """The sort key of a record; None if it does not match. Keys contain only numbers and texts, because they are part of cursors."""
        lower, rank = name.lower(), 0
        if self.words:
            missing = [word for word in self.words if word not in lower]
            if missing:
                described = synopsis(record).lower()
                if not all(word in described for word in missing):
                    return None
            rank = self.rank(lower, missing)
        for test, negated in self.tests:
            if test(record, name) == negated:
                return None
        if self.sort == "name":
            return ("".join(chr(0x110000 - 1 - ord(c)) for c in name) + "\U0010ffff",) if self.descending else (name,)
        if self.sort == "size":
            size = size_of(record)
            return (1, 0, name) if size is None else (0, -size if self.descending else size, name)
        side = 2 if SIDE.search(lower) else 0 if source_of(record, name) == name else 1
        return (rank, side, name)

    def rank(self, name, missing):
        """How well a name matches: exactly, at the beginning, as a part, anywhere, only in the description."""
        if missing:
            return 5 if len(missing) < len(self.words) else 6
        first = self.words[0]
        if name in ("-".join(self.words), "".join(self.words)):
            return 0
        if name.startswith(first):
            return 1 if name[len(first):][:1] in "-.+" else 2
        parts = PARTS.split(name)
        return 3 if all(word in parts for word in self.words) else 4


def strings(params, name):
    found = params.get(name) or []
    if not isinstance(found, list) or not all(isinstance(word, str) for word in found):
        raise Failure(BAD_PARAMS, name + " is not a list of texts")
    return [word for word in found if word]


class Index:
    """The package lists on this machine, and the results of the last search."""

    def __init__(self, config):
        self.folder = self.setting(config, "lists", "/var/lib/apt/lists")
        self.status = self.setting(config, "status", "/var/lib/dpkg/status")
        self.last, self.known = None, (None, set())

    @staticmethod
    def setting(config, name, default):
        found = config.get(name, default)
        if not isinstance(found, str) or not found:
            raise Failure(CONFIGURATION, "the setting %s is not a path" % name)
        return found

    def lists(self, what):
        """The paths of the lists, sorted; an uncompressed list takes precedence over a compressed one."""
        forms = {}
        try:
            names = sorted(os.listdir(self.folder))
        except OSError as error:
            log("%s: %s" % (self.folder, error.strerror))
            names = []
        for name in names:
            found = re.fullmatch(r"(.*_%s)(\.(?:gz|xz|bz2|lz4|zst))?" % what, name)
            if found and os.path.isfile(os.path.join(self.folder, name)):
                forms.setdefault(found[1], name)
        return [os.path.join(self.folder, name) for _, name in sorted(forms.items())]

    @staticmethod
    def stamp(paths):
        """Modification times and sizes of files, to detect changes."""
        stamps = []
        for path in paths:
            try:
                status = os.stat(path)
                stamps.append((path, status.st_mtime_ns, status.st_size))
            except OSError:
                stamps.append((path, 0, 0))
        return stamps

    def installed(self):
        """The names of the installed packages."""
        stamp = self.stamp([self.status])
        if self.known[0] == stamp:
            return self.known[1]
        names = set()
        try:
            for block in blocks(self.status):
                for record in records(block, ALL):
                    if (value(record, b"Status") or b"").endswith(b" installed"):
                        names.add(text(value(record, b"Package")))
        except (OSError, ValueError) as error:
            log("%s: %s" % (self.status, error))
        self.known = (stamp, names)
        return names

    def repositories(self, sources):
        """The repositories of source packages, if apt has lists of sources."""
        found = {}
        for path in self.lists("Sources"):
            try:
                for block in blocks(path):
                    for record in records(block, ALL):
                        name = text(value(record, b"Package"))
                        if name in sources and name not in found:
                            address = value(record, b"Vcs-Browser") or (value(record, b"Vcs-Git") or b"").split(b" ")[0]
                            if web(text(address)):
                                found[name] = text(address)
            except (OSError, EOFError, ValueError) as error:
                log("%s: %s" % (path, error))
        return found


class Found:
    """The results of a search: the key of every package, and the records of the next ones."""

    def __init__(self, query, after, stamp):
        self.query, self.after, self.stamp = query, after, stamp
        self.keys = {}
        self.kept = {}
        self.complete = True

    def offer(self, record, archive):
        name = text(value(record, b"Package"))
        if not name:
            return
        key = self.query.key(record, name)
        if key is None:
            return
        version = text(value(record, b"Version")) or ""
        known = self.keys.get(name)
        # Of several matching versions of a package the newest is kept, of equal ones the first.
        if known and (version == known[1] or version_key(version) < version_key(known[1])):
            return
        self.keys[name] = (key, version)
        if self.after is None or key > self.after:
            self.kept[name] = (key, record, archive)
            if len(self.kept) > 4 * WINDOW:
                self.trim()
        else:
            self.kept.pop(name, None)

    def trim(self):
        for name in sorted(self.kept, key=lambda name: self.kept[name][0])[WINDOW:]:
            del self.kept[name]

    def page(self, after, limit):
        """The next packages and whether there are more; None if their records are not kept."""
        rest = sorted((key, name) for name, (key, _) in self.keys.items() if after is None or key > after)
        if any(name not in self.kept for _, name in rest[:limit]):
            return None
        return [(name, *self.kept[name]) for _, name in rest[:limit]], len(rest) > limit


# Messages


class Plugin:
    """Answers requests sequentially, and checks standard input between blocks for cancellations."""

    def __init__(self):
        self.buffer, self.at_end, self.is_skipping = bytearray(), False, False
        self.waiting, self.cancelled, self.current = [], set(), None
        self.index = None

    def run(self):
        while True:
            while not self.waiting and not self.at_end:
                self.read()
            if not self.waiting:
                return
            self.serve(self.waiting.pop(0))

    def read(self):
        """Reads available input, blocking until there is some, and processes complete lines."""
        data = os.read(0, 1 << 16)
        if not data:
            self.at_end = True
            if self.buffer.strip() and not self.is_skipping:
                self.take(bytes(self.buffer))
            self.buffer.clear()
            return
        self.buffer += data
        if data.find(b"\n") >= 0:
            *lines, rest = bytes(self.buffer).split(b"\n")
            self.buffer = bytearray(rest)
            for line in lines:
                # The rest of a line that was too long, which has been reported.
                if self.is_skipping:
                    self.is_skipping = False
                else:
                    self.take(line)
        if len(self.buffer) > LINE_LIMIT:
            if not self.is_skipping:
                self.fail(None, INVALID, "a line is longer than %d bytes" % LINE_LIMIT)
            self.is_skipping = True
            self.buffer.clear()

    def look(self):
        """Reads input without blocking, and stops a cancelled search."""
        while not self.at_end and select.select([0], [], [], 0)[0]:
            self.read()
        if self.current in self.cancelled:
            raise Failure(CANCELLED, "cancelled")

    def take(self, line):
        """Processes a line: requests are queued, cancellations take effect immediately."""
        if not line.strip():
            return
        if len(line) > LINE_LIMIT:
            self.fail(None, INVALID, "a line is longer than %d bytes" % LINE_LIMIT)
            return
        try:
            message = json.loads(line.decode("utf-8"))
        except (ValueError, RecursionError):
            self.fail(None, MALFORMED, "a line is not JSON in UTF-8")
            return
        if not isinstance(message, dict) or not isinstance(message.get("method"), str):
            # Responses are ignored, because this plugin sends no requests.
            if not isinstance(message, dict) or not ("result" in message or "error" in message):
                self.fail(None, INVALID, "a line is not a request")
            return
        if "id" not in message:
            params = message.get("params")
            wanted = params.get("id") if message["method"] == "$/cancel" and isinstance(params, dict) else None
            if isinstance(wanted, (int, str)) and (wanted == self.current or any(w["id"] == wanted for w in self.waiting)):
                self.cancelled.add(wanted)
            return
        if not isinstance(message["id"], (int, str)) or isinstance(message["id"], bool):
            self.fail(None, INVALID, "the id of a request is neither a number nor a text")
            return
        if len(self.waiting) >= WAITING_LIMIT:
            self.fail(message["id"], INTERNAL, "too many requests are queued")
            return
        message["received"] = time.monotonic()
        self.waiting.append(message)

    def serve(self, message):
        self.current = message["id"]
        try:
            params = message.get("params")
            if params is None:
                params = {}
            if not isinstance(params, dict):
                raise Failure(BAD_PARAMS, "params is not an object")
            if self.current in self.cancelled:
                raise Failure(CANCELLED, "cancelled")
            if message["method"] == "initialize":
                result = self.initialize(params)
            elif message["method"] == "search":
                result = self.search(params, message["received"])
            else:
                raise Failure(NO_METHOD, "unknown method " + message["method"][:100])
            self.write({"jsonrpc": "2.0", "id": self.current, "result": result})
        except Failure as failure:
            self.fail(self.current, failure.code, failure.message, failure.data)
        except BrokenPipeError:
            raise
        except Exception as error:  # A bug must fail only this request.
            import traceback
            log(traceback.format_exc())
            self.fail(self.current, INTERNAL, "%s: %s" % (type(error).__name__, error))
        finally:
            self.cancelled.discard(self.current)
            self.current = None

    def initialize(self, params):
        if params.get("protocol") != 1:
            raise Failure(UNSUPPORTED, "this plugin supports only version 1 of the protocol")
        config = params.get("config")
        self.index = Index(config if isinstance(config, dict) else {})
        return {"protocol": 1, "version": MANIFEST["version"]}

    def search(self, params, received):
        if self.index is None:
            raise Failure(INVALID, "the first request must be initialize")
        if params.get("provider") != MANIFEST["id"] or params.get("kind") != KIND:
            raise Failure(UNSUPPORTED, "only packages of the provider debian can be searched")
        limit = whole(params.get("limit", 50))
        if limit is None or limit < 1:
            raise Failure(BAD_PARAMS, "limit is not a positive number")
        limit = min(limit, PAGE_LIMIT)
        deadline = params.get("deadlineMs")
        until = received + deadline / 1000 if isinstance(deadline, (int, float)) else None
        query = Query(params, self.index)
        after = self.place(params.get("cursor"), query)
        paths = self.index.lists("Packages")
        found, page = self.index.last, None
        if found and found.query.mark == query.mark and found.stamp == self.index.stamp(paths):
            page = found.page(after, limit)
        if page is None:
            self.index.last = None
            found = self.scan(query, after, until, paths)
            page = found.page(after, limit)
            if page is None:
                raise Failure(UPSTREAM, "the package lists changed during the search")
            self.index.last = found
        packages, has_more = page
        self.send(packages)
        result = {"count": len(packages), "total": {"value": len(found.keys), "relation": "eq" if found.complete else "gte"}}
        if not found.complete:
            result["notes"] = [{"code": "incomplete_results", "message": "not all package lists could be read",
                                "hint": "run apt update; forage -v shows which", "incomplete": True}]
        if has_more:
            import binascii
            place = json.dumps([query.mark, *packages[-1][1]]).encode("ascii")
            result["next"] = binascii.b2a_base64(place, newline=False).decode("ascii")
        return result

    @staticmethod
    def place(cursor, query):
        """The key after which a page begins."""
        if cursor is None:
            return None
        import binascii
        try:
            place = json.loads(binascii.a2b_base64(cursor.encode("ascii")).decode("ascii"))
            mark, key = place[0], tuple(place[1:])
            shape = {"relevance": [int, int, str], "size": [int, int, str], "name": [str]}[query.sort]
        except (AttributeError, ValueError, TypeError, LookupError, RecursionError):
            raise Failure(BAD_CURSOR, "the cursor is damaged") from None
        if mark != query.mark or [type(part) for part in key] != shape:
            raise Failure(BAD_CURSOR, "the cursor belongs to another search")
        return key

    def scan(self, query, after, until, paths):
        """Searches all lists."""
        found, failures = Found(query, after, self.index.stamp(paths)), 0
        if not paths:
            log("%s contains no package lists; only installed packages are searched" % self.index.folder)
            paths, found.complete = [self.index.status], False
        for path in paths:
            archive = Archive(path)
            try:
                for block in blocks(path):
                    self.look()
                    if until is not None and time.monotonic() >= until:
                        raise Failure(DEADLINE, "the deadline has passed")
                    for record in records(block, query.pattern):
                        found.offer(record, archive)
            except (OSError, EOFError, ValueError) as error:
                if isinstance(error, BrokenPipeError):
                    raise
                log("%s: %s" % (path, error))
                failures, found.complete = failures + 1, False
        if failures == len(paths):
            raise Failure(
                CONFIGURATION, "no package list can be read in %s" % self.index.folder,
                hint="run apt update on a Debian system, or set lists to the folder that contains the lists")
        return found

    def send(self, packages):
        """Sends the items in lines of limited size."""
        installed = self.index.installed() if packages else set()
        named = {source_of(record, name) for name, _, record, _ in packages}
        sources = self.index.repositories(named) if packages else {}
        lines, size = [], 0
        for name, _, record, archive in packages:
            item = json.dumps(self.item(name, record, archive, installed, sources), ensure_ascii=False)
            if lines and size + len(item) > LINE_TARGET // 4:  # A character takes up to four bytes.
                self.items(lines)
                lines, size = [], 0
            lines.append(item)
            size += len(item)
        if lines:
            self.items(lines)

    def items(self, lines):
        head = json.dumps(self.current, ensure_ascii=False)
        self.put('{"jsonrpc":"2.0","method":"search/items","params":{"id":%s,"items":[%s]}}' % (head, ",".join(lines)))

    @staticmethod
    def item(name, record, archive, installed, sources):
        def short(field):
            found = text(value(record, field))
            return found[:TEXT_LIMIT] if found else None

        name = name[:TEXT_LIMIT]
        homepage, source = web(short(b"Homepage")), source_of(record, name)
        fields = {
            "name": name, "description": synopsis(record)[:TEXT_LIMIT] or None, "homepage": homepage,
            "sizeKB": size_of(record), "version": short(b"Version"), "registry": archive.registry,
            "section": short(b"Section"), "architecture": short(b"Architecture"), "maintainer": short(b"Maintainer"),
            "source": source[:TEXT_LIMIT], "installed": name in installed,
        }
        item = {"id": name, "kind": KIND, "url": archive.page(name, homepage), "title": name,
                "fields": {field: found for field, found in fields.items() if found is not None}}
        related = []
        for address in (repository(homepage), sources.get(source)):
            if address and address not in related:
                related.append(address)
        if related:
            item["related"] = [{"url": address, "why": "repository"} for address in related]
        return {member: found for member, found in item.items() if found is not None}

    def fail(self, request, code, message, data=None):
        error = {"code": code, "message": message, **({"data": data} if data else {})}
        self.write({"jsonrpc": "2.0", "id": request, "error": error})

    def write(self, message):
        self.put(json.dumps(message, ensure_ascii=False, separators=(",", ":")))

    @staticmethod
    def put(line):
        # Unpaired surrogates are replaced, so that the line is valid UTF-8.
        data = memoryview((line + "\n").encode("utf-8", "replace"))
        while data:
            data = data[os.write(1, data):]


if __name__ == "__main__":
    try:
        Plugin().run()
    except (BrokenPipeError, KeyboardInterrupt):
        # The host has exited.
        os._exit(0)
