import ForageGit
import Foundation
import TestSupport
import Testing

@testable import ForageInspector

@Suite struct CloneSummaryTests {
  private let inspector = Inspector(environment: GitEnvironment())

  @Test func summary() async throws {
    let repository = try await TemporaryRepository.make()
    try await repository.git("remote add origin git@github.com:me/it.git")
    let readme =
      "# Title\n\n[![CI](https://x/b.svg)](https://x)\n\nA *small* [tool](https://x) for\n`git`.\n\nMore.\n"
    let commit = try await repository.commit(
      files: ["README.md": readme, "src/a.swift": "let a = 1\n"], date: 1_700_000_000)
    var summary = try inspector.summarize(path: repository.path)
    #expect(summary.path == repository.path && summary.commonDir == repository.path + "/.git")
    #expect(summary.remotes == [Remote(name: "origin", url: "git@github.com:me/it.git")])
    #expect(summary.headBranch == "main" && summary.headCommit == commit && summary.rootCommit == commit)
    #expect(summary.lastCommitAt == Date(timeIntervalSince1970: 1_700_000_000))
    #expect(summary.description == "A small tool for git.")
    #expect(summary.language == "Swift")
    #expect(summary.sizeBytes == readme.utf8.count + 10)
    #expect(summary.license == nil)
    try repository.write(".git/description", "Mine alone\n")
    summary = try inspector.summarize(path: repository.path + "/src")
    #expect(summary.description == "Mine alone")
  }

  /// Damage on the way to the root hides the root alone; what was known of the way is used.
  @Test func root() async throws {
    let repository = try await TemporaryRepository.make()
    let first = try await repository.commit("one")
    let second = try await repository.commit("two")
    let third = try await repository.commit("three")
    #expect(try inspector.summarize(path: repository.path).rootCommit == first)
    let object = "\(repository.path)/.git/objects/\(first.prefix(2))/\(first.dropFirst(2))"
    try FileManager.default.removeItem(atPath: object)
    let damaged = try inspector.summarize(path: repository.path)
    #expect(damaged.rootCommit == nil && damaged.headCommit == third && damaged.problem == nil)
    #expect(
      try inspector.summarize(path: repository.path, known: (head: second, root: first)).rootCommit == first)
    #expect(
      try inspector.summarize(path: repository.path, known: (head: "x", root: first)).rootCommit == nil)
  }

  /// A file or folder that is lost takes nothing else away: the summary has what an inspection reports of the
  /// rest.
  @Test(arguments: ["bild.png", "ordner", "größe.c"], [true, false])
  func damage(path: String, isRemoved: Bool) async throws {
    let repository = try await TemporaryRepository.make()
    try await repository.commit(files: [
      "größe.c": "int a;\nint b;\nint c;\n", "b.py": "b = 1\n", "bild.png": "\u{0}picture", "ordner/a": "a\n",
      "README.md": "# Title\n\nProse of four words.\n",
    ])
    let id = try await repository.git(["rev-parse", "HEAD:" + path])
    let object = "\(repository.path)/.git/objects/\(id.prefix(2))/\(id.dropFirst(2))"
    try FileManager.default.removeItem(atPath: object)
    if !isRemoved { try Data("no object".utf8).write(to: URL(fileURLWithPath: object)) }
    let report = try inspector.inspect(path: repository.path, sections: [.languages, .size])
    let summary = try inspector.summarize(path: repository.path)
    #expect(summary.language == report.languages?.first?.name)
    #expect(summary.language == (path == "größe.c" ? "Python" : "C"))
    #expect(summary.sizeBytes == report.size?.bytes && summary.description == "Prose of four words.")
    #expect(summary.problem?.hasPrefix("1 file or folder is ") == true)
  }

  /// What a partial clone leaves with its remote is no problem.
  @Test func partialClone() async throws {
    let repository = try await TemporaryRepository.make()
    try await repository.git("config uploadpack.allowFilter true")
    try await repository.commit(files: ["a.c": "int a;\n", "d/b.py": "b = 1\n"])
    let bare = try await repository.clone("none", ["--filter=blob:none", "--no-checkout"])
    var summary = try inspector.summarize(path: bare.path)
    #expect(summary.language == nil && summary.sizeBytes == nil && summary.problem == nil)
    let sparse = try await repository.clone("sparse", ["--filter=blob:none", "--sparse"])
    summary = try inspector.summarize(path: sparse.path)
    #expect(summary.language == "C" && summary.sizeBytes == 7 && summary.problem == nil)
  }

  @Test func unborn() async throws {
    let repository = try await TemporaryRepository.make("bare.git", ["--bare"])
    let summary = try inspector.summarize(path: repository.path)
    #expect(summary.bare && summary.headBranch == "main" && summary.headCommit == nil)
    #expect(summary.rootCommit == nil && summary.description == nil && summary.sizeBytes == nil)
  }
}

@Suite struct ParagraphTests {
  private static let prose = "Prose of four words."

  @Test(arguments: [
    ("Plain text.\nSecond line.\n\nOther", "Plain text. Second line."),
    ("Title\n=====\n\nText after the title.", "Text after the title."),
    ("<h1 align=\"center\">A name of words</h1>\n\n<p><img src=\"x\"></p>\n\nProse of four words.", prose),
    ("<!-- a\ncomment -->\n# T\n![x](y) ![z](w)\n\nProse & more &amp; so on.", "Prose & more & so on."),
    ("---\ntitle: x\n---\nProse of four words.", prose),
    ("```\ncode\n```\nProse of four words.", prose),
    ("```\n# build: a tool that builds all of the things\n```\n\nProse of four words.", prose),
    ("name\n####\n\n.. image:: x\n   :alt: y\n\n`Docs <http://x>`_ of **name** here.", "Docs of name here."),
    ("[ref]: http://x\n\n[A][ref] thing\r\nis here", "A thing is here"),
    ("snake_case_name stays as it is", "snake_case_name stays as it is"),
    ("快速的文件搜索工具", "快速的文件搜索工具"),
  ])
  func first(text: String, expected: String) {
    #expect(Paragraph.first(of: text) == expected)
  }

  /// What stands before the first paragraph about the project.
  @Test(arguments: [
    "[[中文](https://x/zh)]\n[[한국어](https://x/ko)]", "Welcome to the tool of words!",
    "[![CI for all of it](https://x/b.svg)](\nhttps://x/y?z=linux)", "Code formatter",
    "[Site](x) |\n[A page of many words](y) |\n[Rules](z)", "Home · How to install · Settings",
    "<p><a href=\"x\"\n>A page of many words</a>", "- [A section of words](#a)\n  - [Another one](#b)",
    "**Note**: The main branch may be broken.", "> [!NOTE]\n> Read this before that.",
    "We're excited to announce a new release.", "Our documentation is now live on our pages.",
    "## Sponsors\n\n### One\n\nThe best sponsor of all times.\n\n## Name",
    "Contents\n========\n\nOne\n---\n\nText of the first section.\n\nName\n====",
    "<table><tr>\n<td>Text in the table here</td>\n</tr></table>",
    ":Keywords: a, b,\n  and more words to come",
    "## Usage\n\nBegin by declaring a type of your own.\n\n## About",
    "Using Swift Package Manager:", "This tool has two main features of note.",
    "Get 20% off our course on tools.", "Proudly sponsored by a very large company.",
    "> ⚠️ **This is an automatically published repository**.", "It powers [our site](x) and others.",
    "Thank you to all the people!", "Copyright (c) 2013-present, Me Myself",
    "    a line of some code", ".. note::\n\n   Text of a long note.",
  ])
  func before(text: String) {
    #expect(Paragraph.first(of: text + "\n\nProse of four words.\n") == Self.prose)
    #expect(Paragraph.first(of: text) == nil)
  }

  /// What a manifest says of a project.
  @Test(arguments: [
    ("Cargo.toml", "[package]\nname = \"a\"\ndescription = \"A finder\\nof files\"\nlicense = \"MIT\"\n"),
    ("package.json", #"{"description": "A finder of files", "license": "MIT", "version": 3}"#),
    ("composer.json", #"{"description": "A finder of files", "license": ["MIT"]}"#),
    ("pyproject.toml", "[project]\ndescription = 'A finder of files'\nlicense = 'MIT'\n"),
    ("pubspec.yaml", "name: a\ndescription: A finder of files\n"),
    ("a.gemspec", "Gem::Specification.new do |s|\n  s.summary = \"A finder of files\".freeze\nend\n"),
  ])
  func statement(name: String, text: String) {
    let statement = ProjectStatement(name: name, bytes: Array(text.utf8))
    #expect(statement.description?.hasPrefix("A finder") == true, "\(statement)")
    #expect(statement.license == (name.hasSuffix("yaml") || name.hasSuffix("gemspec") ? nil : "MIT"))
    #expect(ProjectStatement(name: name, bytes: Array("[{\"".utf8)).description == nil)
  }

  /// A short paragraph is a description where no section and no longer paragraph is.
  @Test(arguments: [
    ("Opinionated Code Formatter", "Opinionated Code Formatter"),
    ("# a\n\nA [small](x) parser", "A small parser"),
    ("<h1>\na\n</h1>\n\nA small parser\n\n## Usage\n\n    code", "A small parser"),
    ("a\n==\n\nWhat is this?\n\nb\n--\n\nTwo words", "What is this?"), ("# a\n\n快速的搜索", nil),
    ("# a\n\n快速的搜索工", "快速的搜索工"), ("# a\n\nTwo words", nil),
    ("# a\n\n## License\n\nMIT (Me Myself)", nil),
    ("A small parser\n\nProse of four words.", prose),
    ("A small parser\n\n# a\n\nProse of four words.", prose),
    ("See the documentation here.\n\nA small parser", "See the documentation here."),
  ])
  func short(text: String, expected: String?) {
    #expect(Paragraph.first(of: text) == expected)
  }

  @Test(arguments: [
    ("Welcome to it! It finds all your files.", "It finds all your files."),
    ("1. A list of things\n2. and of others", "A list of things"),
    ("See the [page](x) of [it](y)", "See the page of it"),
    ("See [its homepage](x) for more. It finds all your files.", "It finds all your files."),
    ("Please follow the documentation at a.b!\n\nA finder of all files\n\n## More", "A finder of all files"),
    (
      "See the website for documentation.\n\n## Help\n\nAsk us for all of it.",
      "See the website for documentation."
    ),
    (
      "See all your files at once. The documentation is here.",
      "See all your files at once. The documentation is here."
    ),
    ("Flask is a [WSGI] framework (see [Web Server]).", "Flask is a WSGI framework (see Web Server)."),
    ("[WIP] A finder of [all files][a] a[0]", "[WIP] A finder of all files a[0]"),
    (
      "Scrapy_ is an installer_, of `all the files`_ (a_) and a_b_ of c_d",
      "Scrapy is an installer, of all the files (a) and a_b_ of c_d"
    ),
    ("# Hacker News\n\nA reader of Hacker News.", "A reader of Hacker News."),
    ("News aggregator for the terminal", "News aggregator for the terminal"),
    // A later paragraph may say what it is, and so may the title.
    ("# it.vim\n\nGaze deep into all files.\n\n## What?\n\n`it.vim` is a finder.", "it.vim is a finder."),
    ("It\n==\n\nFiles are the way to go.\n\nIt is a finder of files:\n\n* one", "It is a finder of files"),
    ("# It\n\nA finder of all files.\n\n## Usage\n\nIt is a good idea to wait.", "A finder of all files."),
    ("It - a finder of files\n===\n\nNotes\n---\n\nLocated at [our own page](x).", "a finder of files"),
    ("# It: a finder of files\n\nA finder of all files.", "A finder of all files."),
  ])
  func kept(text: String, expected: String) {
    #expect(Paragraph.first(of: text) == expected)
  }

  @Test func limits() throws {
    #expect(Paragraph.first(of: "") == nil)
    #expect(Paragraph.first(of: "# only\n\n## headings") == nil)
    let cut = try #require(Paragraph.first(of: String(repeating: "word ", count: 200)))
    #expect(cut.count <= 300 && cut.hasSuffix("word…"))
  }
}
