import Foundation
import TestSupport

/// A small repository in a folder of its own, with what it needs beside it.
struct DamageBase: Sendable {
  /// An object's place below the folder and what it says, `tree 120\0...`.
  struct Object: Sendable {
    var path: String
    var bytes: [UInt8]
  }

  /// What is special about it.
  let name: String
  /// The folder that is copied.
  let folder: String
  /// The repository, below the folder.
  let repository: String
  /// Every folder below it, parents first.
  let folders: [String]
  /// Every file below it.
  let files: [String]
  /// Files that git keeps, and those of the work tree that are read for facts.
  let targets: [String]
  /// Loose objects that are no blobs.
  let objects: [Object]

  /// Reads what is in a folder.
  init(name: String, folder: String, repository: String, objects: [Object]) throws {
    self.name = name
    self.folder = folder
    self.repository = repository
    self.objects = objects
    var (folders, files) = ([String](), [String]())
    for path in try FileManager.default.subpathsOfDirectory(atPath: folder).sorted() {
      let kind = try FileManager.default.attributesOfItem(atPath: "\(folder)/\(path)")[.type]
      if kind as? FileAttributeType == .typeDirectory { folders.append(path) } else { files.append(path) }
    }
    self.folders = folders
    self.files = files
    targets = files.filter { path in
      !path.hasSuffix(".sample") && !path.hasSuffix("COMMIT_EDITMSG") && !path.hasSuffix("description")
    }
  }

  /// Makes a copy that shares the files; whoever changes one replaces it.
  func copy(to target: String) throws {
    try FileManager.default.createDirectory(atPath: target, withIntermediateDirectories: true)
    for path in folders { mkdir("\(target)/\(path)", 0o755) }
    for path in files {
      guard link("\(folder)/\(path)", "\(target)/\(path)") == 0 else {
        throw SupportError(
          code: .system, message: "\(folder)/\(path) cannot be linked", hint: "check the free space")
      }
    }
  }
}
