#!/usr/bin/env python3
"""Writes the license texts of the SPDX license list as data for ForageInspector.

Usage: license-list.py FOLDER

FOLDER is a checkout of the list's source (https://github.com/spdx/license-list-XML) at a tag, its version.
`LicenseList+data.swift` tells the format of the result; `LicenseWords.swift` of the tests has the words.
"""

import collections
import glob
import os
import re
import subprocess
import sys
import xml.etree.ElementTree

NAMESPACE = "{http://www.spdx.org/license}"
ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
DATA = os.path.join(ROOT, "Sources/ForageInspector/Licenses/LicenseList+data.swift")
WORDS = os.path.join(ROOT, "Tests/ForageInspectorTests/Support/LicenseWords.swift")

# Printable characters that a string literal needs no escape for, six bits each.
ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

# Symbols that are no words: the beginning and end of words that may be absent, and a place where any words may be.
OPEN, CLOSE, GAP = 0, 1, 2
FIRST_WORD = 3

# Words of one shingle, and the shingles by which each text is found.
SHINGLE = 5
SHINGLES = 12

TEXT, HEADER, EXCEPTION = "t", "h", "e"
# Shorter notices are names rather than texts.
NOTICE_WORDS = 8

ROMAN = {"ii", "iii", "iv", "vi", "vii", "viii", "ix", "xi", "xii"}


def words(text):
    """The words of a text: ASCII letters and digits, in lowercase."""
    return re.findall("[a-z0-9]+", text.lower())


def is_mark(word):
    """Whether a word may number an item of a list, as LicenseText has it."""
    return len(word) == 1 or word in ROMAN or (len(word) == 2 and word.isdigit())


# Lines that name who has the copyright, which differ without the license being another one, and marks of lists.
COPYRIGHT = r"copyright\s*(\(c\)|\u00A9|<year>|\[yyyy\]|[12][0-9]{3})[^.\n]*"
FREE = re.compile(
    rf"(?i)({COPYRIGHT}\.?\s*)?all rights reserved\.?|{COPYRIGHT}"
    r"|^\s*\(?([0-9]{1,2}(\.[0-9]{1,2})*|[a-z]|[ivx]+)[.)](?=\s)"
)


# The end of the notices of GNU licenses, which names one of several addresses.
RECEIVED = ["you", "should", "have", "received"]


class Template:
    """The words of an element, with what may be absent and where any words may be."""

    def __init__(self, element):
        self.parts = []
        self.is_header = element.tag == NAMESPACE + "standardLicenseHeader"
        self.add(element)

    def text(self, text):
        at = 0
        for found in FREE.finditer(text or ""):
            self.parts.extend(words(text[at : found.start()]))
            self.parts.extend([GAP] if "opy" in found[0] or "OPY" in found[0] else [])
            self.parts.extend([OPEN, *words(found[0]), CLOSE])
            at = found.end()
        self.parts.extend(words((text or "")[at:]))

    def add(self, element):
        name = element.tag.removeprefix(NAMESPACE)
        if name in ("copyrightText", "bullet"):
            pass
        elif name in ("optional", "titleText") or self.is_header and words("".join(element.itertext()))[:4] == RECEIVED:
            self.parts.append(OPEN)
            self.children(element)
            self.parts.append(CLOSE)
        elif name == "alt":
            match = element.get("match")
            # Without wildcards the words of the alternatives are known.
            plain = re.sub(r"\\s[+*]?", " ", match)
            known = "" if re.search(r"[.\[\\{]", plain) else re.sub(r"[()|?]", " ", plain)
            choices = [] if len(words(known)) > 16 else words(known)
            if not choices and known != plain.strip():
                self.parts.append(GAP)
            self.parts.append(OPEN)
            self.children(element)
            own = words("".join(element.itertext()))
            self.parts.extend(word for word in dict.fromkeys(choices) if word not in own)
            self.parts.append(CLOSE)
        else:
            self.children(element)

    def children(self, element):
        self.text(element.text)
        for child in element:
            self.add(child)
            self.text(child.tail)

    def flat(self):
        """The parts without nesting and without empty pairs."""
        result, depth = [], 0
        for part in self.parts:
            if part == OPEN:
                depth += 1
                if depth > 1:
                    continue
            elif part == CLOSE:
                depth -= 1
                if depth:
                    continue
                if result[-1] == OPEN:
                    result.pop()
                    continue
            elif part == GAP and result and result[-1] == GAP:
                continue
            result.append(part)
        return result


def texts(folder):
    """The texts of the list by identifier and kind, without those that another identifier has too."""
    found = {}
    for path in sorted(glob.glob(folder + "/src/*.xml") + glob.glob(folder + "/src/exceptions/*.xml")):
        element = xml.etree.ElementTree.parse(path).getroot()[0]
        if element.get("deprecatedVersion"):
            continue
        identifier = element.get("licenseId")
        kind = EXCEPTION if element.tag == NAMESPACE + "exception" else TEXT
        text = element.find(NAMESPACE + "text")
        found[identifier, kind] = tuple(Template(text).flat())
        for header in element.iter(NAMESPACE + "standardLicenseHeader"):
            found.setdefault((identifier, HEADER), tuple(Template(header).flat()))
    result = {}
    # The text of a GNU license alone says nothing of later versions.
    order = lambda key: (key[0].endswith("-or-later"), "invariants" in key[0] or "RFN" in key[0], len(key[0]), key)
    for key in sorted(found, key=order):
        identifier, kind = key
        if kind == TEXT and identifier.endswith("-or-later") and (identifier[:-9] + "-only", TEXT) in found:
            continue
        parts = found[key]
        if kind == HEADER and len(parts) < NOTICE_WORDS or parts in result.values():
            continue
        result[key] = parts
    return dict(sorted(result.items()))


def compress(sequences, first):
    """Replaces repeated pairs of symbols by rules, until no pair is repeated often enough; returns the rules."""
    rules = []
    while True:
        pairs = collections.Counter()
        for sequence in sequences:
            last = None
            for pair in zip(sequence, sequence[1:]):
                # A run such as `a a a` has one pair without overlap.
                if pair != last:
                    pairs[pair] += 1
                    last = pair
                else:
                    last = None
        best = pairs.most_common(1)[0][1] if pairs else 0
        # A rule costs as much as two symbols.
        if best < 3:
            return rules
        chosen = {}
        for pair, count in sorted(pairs.items(), key=lambda item: (-item[1], item[0])):
            if count < max(3, best * 2 // 3):
                break
            chosen[pair] = None
        for number, sequence in enumerate(sequences):
            result, at = [], 0
            while at < len(sequence):
                pair = tuple(sequence[at : at + 2])
                if pair in chosen:
                    if chosen[pair] is None:
                        chosen[pair] = first + len(rules)
                        rules.append(pair)
                    result.append(chosen[pair])
                    at += 2
                else:
                    result.append(sequence[at])
                    at += 1
            sequences[number] = result


def encoded(number, count):
    """A number as characters, six bits each, the highest first."""
    return "".join(ALPHABET[number >> 6 * place & 63] for place in reversed(range(count)))


def word_hash(word):
    """The upper 24 bits of FNV-1a, of 32 bits."""
    value = 0x811C9DC5
    for byte in word.encode():
        value = (value ^ byte) * 0x01000193 & 0xFFFFFFFF
    return value >> 8


def shingle_hash(symbols):
    """The upper 24 bits of FNV-1a, of 32 bits, over symbols instead of bytes, mixed once more."""
    value = 0x811C9DC5
    for symbol in symbols:
        value = (value ^ symbol) * 0x01000193 & 0xFFFFFFFF
        value ^= value >> 15
    return (value * 0x9E3779B1 & 0xFFFFFFFF) >> 8


def shingles(sequence, marks):
    """The hashes of some shingles of a text, the lowest ones, each with the position of its first word."""
    runs, run, position, depth = [], [], 0, 0
    for symbol in sequence:
        if symbol in (OPEN, CLOSE, GAP):
            depth += {OPEN: 1, CLOSE: -1, GAP: 0}[symbol]
            runs.append(run)
            run = []
            continue
        if depth == 0 and symbol not in marks:
            run.append((symbol, position))
        position += 1
    runs.append(run)
    found = {}
    for size in range(SHINGLE, 0, -1):
        for run in runs:
            for at in range(len(run) - size + 1):
                found.setdefault(shingle_hash([symbol for symbol, _ in run[at : at + SHINGLE]]), run[at][1])
        if found:
            break
    return size, sorted(found.items())[:SHINGLES]


def literal(name, comment, text):
    """A Swift property with a string of one line."""
    return f'  /// {comment}\n  static var {name}: StaticString {{\n    """\n    {text}\n    """\n  }}\n'


def main():
    if len(sys.argv) != 2:
        sys.exit("forage: no checkout was given\nhint: clone license-list-XML at a tag and name its folder: LIST=FOLDER")
    folder = sys.argv[1]
    git = ["git", "-C", folder, "describe", "--tags", "--exact-match"]
    version = subprocess.run(git, check=True, stdout=subprocess.PIPE, text=True).stdout.strip()
    found = texts(folder)
    vocabulary = sorted({part for parts in found.values() for part in parts if isinstance(part, str)})
    symbols = {word: FIRST_WORD + number for number, word in enumerate(vocabulary)}
    marks = {symbols[word] for word in vocabulary if is_mark(word)}
    hashes = {word_hash(word): symbol for word, symbol in symbols.items()}
    with open(folder + "/equivalentwords.txt") as file:
        for line in file:
            pair = line.strip().split(",")
            for ending in ("", "s", "d"):
                word, other = (pair if pair[0] + ending in symbols else reversed(pair))
                if word + ending in symbols and (other + ending).isalpha():
                    hashes[word_hash(other + ending)] = symbols[word + ending]
    hashes[word_hash("https")] = symbols["http"]
    sequences = [[symbols.get(part, part) for part in parts] for parts in found.values()]
    # One symbol for the words that are equivalent.
    same = {symbol: hashes[word_hash(word)] for word, symbol in symbols.items()}
    sequences = [[same.get(symbol, symbol) for symbol in sequence] for sequence in sequences]
    index = []
    for number, ((identifier, kind), sequence) in enumerate(zip(found, sequences)):
        size, some = shingles(sequence, marks)
        if size < SHINGLE:
            print("too short to be found:", identifier, kind, file=sys.stderr)
            continue
        index.extend((value, number, position) for value, position in some)
    first = FIRST_WORD + len(vocabulary)
    rules = compress(sequences, first)
    counts = collections.Counter(number for _, number, _ in index)
    names = "".join(
        f"{identifier},{kind},{len(sequence)},{counts[number]};"
        for number, ((identifier, kind), sequence) in enumerate(zip(found, sequences))
    )
    parts = [
        f"/// The texts of the SPDX license list {version}, written by `Tests/LicenseList/license-list.py`.\n///\n"
        "/// Numbers have six bits a character. The first symbols are marks of a template, as ``LicenseTemplate``\n"
        "/// has them, the next ones are words, the others are rules that stand for two symbols each.\n"
        "// swift-format-ignore-file\nextension LicenseList {\n"
        f'  package static let version = "{version.removeprefix("v")}"\n'
        f"  static let firstRule = {first}\n",
        literal("words", "Hashes of words (24 bits), ascending, each with its symbol (18 bits).",
            "".join(encoded(value, 4) + encoded(symbol, 3) for value, symbol in sorted(hashes.items()))),
        literal("rules", "Two symbols for each rule.",
            "".join(encoded(symbol, 3) for rule in rules for symbol in rule)),
        literal("names", "An identifier, the kind, the numbers of symbols and of shingles of each text.", names),
        literal("symbols", "The symbols of all texts.",
            "".join(encoded(symbol, 3) for sequence in sequences for symbol in sequence)),
        literal("shingles",
            "Hashes of shingles (24 bits), ascending, each with its text (12 bits) and position (18 bits).",
            "".join(encoded(value, 4) + encoded(number, 2) + encoded(position, 3) for value, number, position in sorted(index))),
    ]
    with open(DATA, "w") as file:
        file.write("\n".join(parts) + "}\n")
    with open(WORDS, "w") as file:
        file.write(
            f"/// The words of the SPDX license list {version}, in the order of their symbols, written by\n"
            "/// `Tests/LicenseList/license-list.py`.\n// swift-format-ignore-file\nenum LicenseWords {\n"
            + literal("words", "Separated by spaces.", " ".join(vocabulary))
            + "}\n"
        )
    print(len(found), "texts", len(vocabulary), "words", len(rules), "rules", sum(map(len, sequences)), "symbols",
        len(index), "shingles", os.path.getsize(DATA), "bytes")


main()
