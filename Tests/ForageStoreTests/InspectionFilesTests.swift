import ForageStore
import Foundation
import TestSupport
import Testing

@Suite struct InspectionFilesTests {
  private let folder: TemporaryDirectory
  private let files: InspectionFiles

  init() throws {
    folder = try TemporaryDirectory(prefix: "forage-cache")
    files = InspectionFiles(folder: folder.path("cache/inspections"), maximumBytes: 1000)
  }

  private func names() -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder.path("cache/inspections"))) ?? []).sorted()
  }

  private func path(_ name: String) -> String { folder.path("cache/inspections/" + name) }

  @Test func oneEntryForEachClone() throws {
    let all = (0...255).map { UInt8($0) }
    #expect(files.read("/größe", identity: "1") == nil && names().isEmpty)
    files.write("/größe", identity: "1", all)
    files.write("/b", identity: "1", [])
    #expect(files.read("/größe", identity: "1") == all && files.read("/b", identity: "1") == [])
    #expect(files.read("/größe", identity: "2") == nil && files.read("/c", identity: "1") == nil)
    files.write("/größe", identity: "2", [1])
    #expect(files.read("/größe", identity: "1") == nil && files.read("/größe", identity: "2") == [1])
    #expect(names().count == 2)
    #expect(mode(folder.path("cache/inspections")) == 0o700)
    for name in names() { #expect(mode(path(name)) == 0o600) }
  }

  /// Every change of a byte and every shorter file is noticed; the next entry takes its place.
  @Test func damage() throws {
    files.write("/a", identity: "id", Array("facts".utf8))
    let name = try #require(names().first)
    let whole = try Data(contentsOf: URL(fileURLWithPath: path(name)))
    for place in whole.indices {
      var changed = whole
      changed[place] ^= 1
      for bytes in [changed, whole.prefix(place)] {
        try folder.write("cache/inspections/" + name, data: bytes)
        #expect(files.read("/a", identity: "id") == nil, "byte \(place)")
      }
    }
    files.write("/a", identity: "id", [1])
    #expect(files.read("/a", identity: "id") == [1])
    // The entry of another clone.
    files.write("/b", identity: "id", [2])
    let other = try #require(names().first { $0 != name })
    try FileManager.default.removeItem(atPath: path(name))
    try FileManager.default.copyItem(atPath: path(other), toPath: path(name))
    #expect(files.read("/a", identity: "id") == nil && files.read("/b", identity: "id") == [2])
  }

  /// A reader sees the entry of one writer or of the other, never a part of one.
  @Test func severalProcesses() throws {
    let entries = (0..<4).map { [UInt8](repeating: UInt8($0), count: 10_000 * ($0 + 1)) }
    let files = files
    files.write("/a", identity: "id", entries[0])
    concurrently(8) { number in
      for _ in 0..<50 {
        if number < 4 { files.write("/a", identity: "id", entries[number]) }
        guard let found = files.read("/a", identity: "id"), entries.contains(found) else {
          throw SupportError(code: .program, message: "a part of an entry", hint: "")
        }
      }
    }
    #expect(names().count == 1)
  }

  @Test func oldAndTooManyFilesGo() throws {
    let day: Double = 24 * 60 * 60
    for (number, name) in ["old", "b", "c", "d"].enumerated() {
      files.write("/" + name, identity: "id", [UInt8](repeating: 7, count: 400))
      let new = try #require(names().first { mode(path($0)) == 0o600 })
      try FileManager.default.setAttributes(
        [
          .modificationDate: noon + Double(number) * day, .posixPermissions: 0o400,
        ], ofItemAtPath: path(new))
    }
    func left(_ now: Date) -> [String] {
      files.trim(now: now)
      return ["old", "b", "c", "d"].filter { files.read("/" + $0, identity: "id") != nil }
    }
    // More than 1,000 bytes: the oldest go.
    #expect(left(noon + 3 * day) == ["c", "d"])
    #expect(left(noon + 92.5 * day) == ["d"])
    #expect(left(noon - 100 * day).isEmpty && names().isEmpty)
  }

  /// A file in the place of the folder: nothing is stored, and nothing fails.
  @Test func unusableFolder() throws {
    try folder.write("cache", "x")
    files.write("/a", identity: "id", [1])
    #expect(files.read("/a", identity: "id") == nil)
    files.trim()
    #expect(try String(contentsOfFile: folder.path("cache"), encoding: .utf8) == "x")
  }
}
