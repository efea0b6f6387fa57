import ForageCore
import ForageGit
import ForageLocal
import ForagePlatform
package import ForageSetup
import ForageStore

/// A clone of which a part is deleted, as a process that was killed leaves it.
package struct PendingDeletion: Sendable, Hashable {
  /// The path at which the clone was.
  package let path: String
  /// The id of its repository on its forge.
  package let id: String?
  /// The path of the rest: a folder beside the clone's.
  package let rest: String

  /// The action that helps.
  package var remedy: String {
    "what is left is in \(rest); to go on, run: forage clones delete --yes \(path.shellQuoted)"
  }

  /// Whether a part of the clone is left, and no process is deleting it now.
  fileprivate var isLeft: Bool {
    FileAccess.entry(rest + "/clone", follow: false) != nil && UnfinishedClone.isAbandoned(rest)
  }
}

/// The deletions that were begun, in a file: with the record a later run can end what was interrupted.
package struct PendingDeletions: Sendable {
  private let file: String

  /// More bytes than the paths of some thousand clones have.
  private static let limit = 4 << 20

  package init(_ paths: Paths) { file = paths.stateFolder + "/deletions" }

  /// Those of which a part is left.
  package var all: [PendingDeletion] {
    Self.entries(PrivateFile.read(file, limit: Self.limit)).filter(\.isLeft)
  }

  /// Those that a text names: by the path, the id, `owner/name`, or the name of the clone or of its folder.
  package func named(_ text: String, home: String) -> [PendingDeletion] {
    let written = ReferencePath.written(text, home: home).map { path in
      // The folder itself is gone, those above it may be links.
      let place = ClonePreparation.absolute(path)
      let above = FileAccess.parent(of: place)
      return FileAccess.join(FileAccess.realPath(above) ?? above, String(FileAccess.name(of: place)))
    }
    let name = "/" + text.lowercased()
    return all.filter { pending in
      written == pending.path || pending.path.lowercased().hasSuffix(name)
        || pending.id.map { ("/" + $0.lowercased()).hasSuffix(name) } ?? false
    }
  }

  func add(_ pending: PendingDeletion) {
    change { $0.append(pending) }
  }

  func remove(_ pending: PendingDeletion) {
    change { $0.removeAll { $0 == pending } }
  }

  private func change(_ body: (inout [PendingDeletion]) -> Void) {
    _ = PrivateFile.change(file, limit: Self.limit, isLasting: true) { bytes in
      var entries = Self.entries(bytes)
      body(&entries)
      return entries.flatMap { entry in
        [entry.path, entry.id ?? "", entry.rest].flatMap { Array($0.utf8) + [0] }
      }
    }
  }

  /// Three texts each, every one with a NUL at its end.
  private static func entries(_ bytes: [UInt8]?) -> [PendingDeletion] {
    let texts = (bytes ?? []).split(separator: 0, omittingEmptySubsequences: false).map {
      String(decoding: $0, as: UTF8.self)
    }
    return stride(from: 0, to: texts.count - 2, by: 3).map { place in
      PendingDeletion(
        path: texts[place], id: texts[place + 1].isEmpty ? nil : texts[place + 1], rest: texts[place + 2])
    }
  }
}
