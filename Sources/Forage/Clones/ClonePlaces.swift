import ForageCore
import ForageGit
import ForageInspector
import ForageLocal
import ForageStore

/// Decides where each repository is cloned to, and finds the clones that exist already.
package struct ClonePlaces: Sendable {
  /// What there is to do for a repository.
  package enum Plan: Sendable {
    /// A clone exists, and whether the catalogue has it.
    case present(path: String, isKnown: Bool)
    /// It is to be cloned.
    case missing(path: String)
    /// It cannot be cloned.
    case blocked(path: String, ForageError)

    /// Whether it is to be cloned.
    package var isMissing: Bool { if case .missing = self { true } else { false } }
  }

  /// The folder below which clones are placed, without links.
  let root: String
  /// The catalogue; `nil` where it cannot be read.
  let store: Store?
  /// Names in folders, by folder and by the name in lower case.
  private var names: [String: [String: String]] = [:]

  init(root: String, store: Store?) {
    self.root = root
    self.store = store
  }

  /// The plans for several repositories, in their order.
  ///
  /// - Throws: `StoreError`; `CancellationError`.
  mutating func plans(for sources: [CloneSource]) async throws -> [(source: CloneSource, plan: Plan)] {
    let known = try store?.clonePlaces(of: sources.map(\.id)) ?? [:]
    var plans: [(CloneSource, Plan)] = []
    for source in sources {
      let path = place(of: source)
      let clones = (known[source.id] ?? []).map(\.path).filter(CloneProbe.isClone)
      if let clone = clones.first(where: { $0 == path }) ?? clones.first {
        plans.append((source, .present(path: clone, isKnown: true)))
      } else {
        plans.append((source, try await plan(source, path)))
      }
    }
    return plans
  }

  /// The folder for a repository; on forges whose names ignore case, folders that exist are taken whatever their case.
  private mutating func place(of source: CloneSource) -> String {
    var folder = root
    let ignoresCase = RepositoryIdentity.ignoresCase(source.host)
    for component in source.components {
      let name = ignoresCase ? existing(component, in: folder) : component
      folder = FileAccess.join(folder, name)
    }
    return folder
  }

  /// The name in a folder that is the same but for case, else the name itself, which counts as existing from now on.
  private mutating func existing(_ name: String, in folder: String) -> String {
    var known =
      names[folder]
      ?? Dictionary(FileAccess.names(in: folder).map { ($0.lowercased(), $0) }) { first, _ in first }
    defer { names[folder] = known }
    if FileAccess.entry(FileAccess.join(folder, name), follow: false) != nil { return name }
    if let found = known[name.lowercased()] { return found }
    known[name.lowercased()] = name
    return name
  }

  /// The plan for a repository of which the catalogue has no clone, by what is at its place now.
  func plan(_ source: CloneSource, _ path: String) async throws -> Plan {
    var folder = FileAccess.parent(of: path)
    while folder.utf8.count > root.utf8.count {
      if CloneProbe.isClone(folder) {
        let error = ForageError(
          "\(source.title) cannot be cloned into \(folder), which is a clone", hint: "move that clone away")
        return .blocked(path: path, error)
      }
      folder = FileAccess.parent(of: folder)
    }
    guard let entry = FileAccess.entry(path, follow: false) else { return .missing(path: path) }
    if entry.kind == .directory, FileAccess.canList(path), FileAccess.names(in: path).isEmpty {
      return .missing(path: path)
    }
    guard CloneProbe.isClone(path) else {
      let error = ForageError(
        "\(source.title) cannot be cloned: \(path) exists and is not a clone",
        hint: "move it away, or clone to another folder with git")
      return .blocked(path: path, error)
    }
    do throws(GitError) {
      let identity = try await BlockingGit.run { _ throws(GitError) in
        let inspector = Inspector()
        let (root, remotes) = try inspector.location(path: path)
        return CloneIdentity.of(remotes, at: root, inspector: inspector)
      }
      if identity?.id == source.id { return .present(path: path, isKnown: false) }
      let other = identity.map { "a clone of \($0.id)" } ?? "a clone of another repository"
      let error = ForageError(
        "\(source.title) cannot be cloned: \(path) is \(other)", hint: "move that clone away")
      return .blocked(path: path, error)
    } catch {
      if error.code == .cancelled { throw CancellationError() }
      return .blocked(
        path: path,
        ForageError(
          "\(source.title) cannot be cloned: "
            + (error.message.contains(path) ? error.message : "\(path): \(error.message)"),
          hint: error.hint))
    }
  }
}
