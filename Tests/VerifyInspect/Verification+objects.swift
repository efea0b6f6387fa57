import ForagePlatform
import Foundation

extension Verification {
  /// What is in the object database.
  mutating func objects() async throws {
    var counts: [String: Int] = [:]
    var alternates: [String] = []
    for line in try await git.lines("count-objects", "-v") ?? [] {
      guard let colon = line.range(of: ": ") else { continue }
      let (name, value) = (String(line[..<colon.lowerBound]), String(line[colon.upperBound...]))
      if name == "alternate" { alternates.append(value) } else { counts[name] = Int(value) }
    }
    comparison.value("size.packs", told.size?.packs, counts["packs"], canTell: false)
    comparison.value("size.looseObjects", told.size?.looseObjects, counts["count"], canTell: false)
    let folder = clone.commonDir + "/objects"
    let names = Set((try? FileManager.default.contentsOfDirectory(atPath: folder + "/pack")) ?? [])
    let packs = Self.entries(folder + "/pack") {
      $0.hasSuffix(".pack") && names.contains($0.dropLast(4) + "idx")
    }
    comparison.value("size.packBytes", told.size?.packBytes, packs.reduce(0) { $0 + Int($1.st_size) })
    let loose = (0..<256).flatMap { first in
      let name = String(first, radix: 16)
      return Self.entries("\(folder)/\(name.count < 2 ? "0" : "")\(name)") { name in
        name.utf8.count == 38 && name.allSatisfy(\.isHexDigit)
      }
    }
    // Lengths of the files, or what they take on the disk, in blocks of 512 bytes.
    let lengths = loose.reduce(0) { $0 + Int($1.st_size) }
    let onDisk = loose.reduce(0) { $0 + Int($1.st_blocks) * 512 }
    let looseBytes = told.size?.looseBytes
    comparison.value("size.looseBytes", looseBytes, looseBytes == onDisk ? onDisk : lengths)
    comparison.list(
      "alternates", told.alternates.map { Set($0.map(Clone.resolved)).sorted() },
      Set(alternates.map(Clone.resolved)).sorted())
  }

  /// The files of a folder whose names fit.
  private static func entries(_ folder: String, _ fits: (String) -> Bool) -> [stat] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.filter(fits).compactMap { name in
      var entry = stat()
      return lstat("\(folder)/\(name)", &entry) == 0 && entry.st_mode & S_IFMT == S_IFREG ? entry : nil
    }
  }
}
