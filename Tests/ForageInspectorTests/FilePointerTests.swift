import ForageGit
import TestSupport
import Testing

@testable import ForageInspector

@Suite struct FilePointerTests {
  private static let oid = String(repeating: "4d7a2146", count: 8)
  private static let lfs = "version https://git-lfs.github.com/spec/v1\noid sha256:\(oid)\nsize 12345\n"
  private static let annex = "/annex/objects/MD5E-s12--d41d8cd98f00b204e9800998ecf8427e.c\n"
  private let inspector = Inspector(environment: GitEnvironment())

  @Test(arguments: [
    (lfs, true), (annex, true), (String(annex.dropLast()), true),
    ("version https://hawser.github.com/spec/v1\noid sha256:\(oid)\nsize 1\n", true),
    ("version https://git-lfs.github.com/spec/v1\next-0-a sha256:\(oid)\noid sha256:\(oid)\nsize 1\n", true),
    ("version https://git-lfs.github.com/spec/v1\n", false), ("version = 1\noid x\nsize 1\n", false),
    (" " + lfs, false), ("/annex/objects/", false), ("", false),
    (lfs + String(repeating: "\n", count: 1024), false),
  ])
  func pointers(text: String, expected: Bool) {
    #expect(FilePointer.isPointer(Array(text.utf8)) == expected)
  }

  /// No pointer is code, has lines or is a license, manifest or README, whichever sections are asked for.
  @Test(arguments: [("* filter=lfs\n", lfs), ("* annex.largefiles=largerthan=1kb\n", annex)])
  func repositories(attributes: String, pointer: String) async throws {
    let repository = try await TemporaryRepository.make()
    try await repository.commit(files: [
      ".gitattributes": attributes, "größe.c": pointer, "run": pointer, "a.sql": pointer, "LICENSE": pointer,
      "LICENSES/MIT.txt": pointer, "package.json": pointer, "README.md": pointer, "b.py": "b = 1\n",
    ])
    for sections in [InspectionSection.standard, [.languages], [.languages, .files]] {
      let report = try inspector.inspect(path: repository.path, sections: sections)
      #expect(report.languages == [.init(name: "Python", bytes: 6, share: 1)], "\(sections)")
    }
    let report = try inspector.inspect(
      path: repository.path, sections: [.lines, .files, .licenses, .dependencies])
    let lines = report.lines?.filter { $0.language != "Git Attributes" }
    #expect(lines == [.init(language: "Python", files: 1, code: 1, comment: 0, blank: 0)])
    #expect(report.files?.map(\.path).contains("größe.c") == false)
    #expect(report.licenses == [] && report.dependencies == [] && report.notes.isEmpty, "\(report.notes)")
    let summary = try inspector.summarize(path: repository.path)
    #expect(summary.language == "Python" && summary.license == nil && summary.description == nil)
  }

  /// Without attributes, what is read anyway is examined.
  @Test func withoutAttributes() async throws {
    let repository = try await TemporaryRepository.make()
    try await repository.commit(files: ["größe.c": Self.annex, "b.py": "b = 1\n"])
    let report = try inspector.inspect(path: repository.path)
    #expect(report.languages?.map(\.name) == ["Python"] && report.lines?.map(\.language) == ["Python"])
    #expect(report.skipped == .init(vendored: 0, generated: 0, binary: 1))
  }
}
