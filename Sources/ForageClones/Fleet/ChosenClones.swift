import ForageCore
import ForageGit
import ForageInspector
package import ForagePlatform
package import ForageSetup
import ForageStore

/// The clones of the catalogue that a command works on.
package struct ChosenClones: Sendable {
  /// By path.
  package private(set) var clones: [CloneState] = []
  /// The paths of those that were named one by one, and not chosen by folders, words or conditions.
  package private(set) var named: Set<ExactText> = []
  /// The folders among the names that mean the clones below them.
  package private(set) var folders: [String] = []
  /// The folders of the catalogue that are unavailable, as of an unmounted disk, and have some of the chosen
  /// clones; in byte order.
  package private(set) var unavailable: [String] = []
  /// The errors of names that mean no clone.
  package private(set) var failures: [ForageError] = []

  /// The clones of the catalogue.
  package private(set) var all: [CloneState] = []

  /// Chooses clones by names, and by words and conditions, all of which must hold.
  ///
  /// What ``CloneNames`` does not know is a word, which is a part of a name.
  ///
  /// - Parameters:
  ///   - texts: Names and words; none for all clones.
  ///   - names: Names alone, for example from standard input; `nil` where none were asked for.
  ///   - allows: A condition on what the catalogue has.
  ///   - filter: The conditions on what an inspection finds.
  ///   - prefersWords: Whether a name is a word, too, as where clones are listed.
  ///   - takesFoldersWithin: Whether a folder within a clone stands for it, and a name for the clones of
  ///     several repositories; not where clones are deleted.
  ///   - keepsUnavailable: Whether clones in unavailable folders are chosen, too; what was named one by one
  ///     always is.
  /// - Throws: `ForageError` for a name among `texts` that is no clone of the catalogue; `StoreError`;
  ///   `CancellationError`.
  package init(
    _ texts: [String], names: [String]? = nil, allows: (CloneState) -> Bool, _ filter: CloneFilter?,
    _ forage: Forage, lastList: () -> LastList?, prefersWords: Bool = false, takesFoldersWithin: Bool = true,
    keepsUnavailable: Bool = false
  ) async throws {
    all = try await CloneState.catalogued(forage)
    let known = try forage.cloneNames()
    var (chosen, hasNames) = (Set<ExactText>(), names != nil)
    var globs: [Set<ExactText>] = []
    func add(_ text: String, isLine: Bool = false) throws(ForageError) -> Bool {
      guard
        let meaning = try known.meaning(of: text, in: lastList(), takesFoldersWithin: takesFoldersWithin)
      else { return false }
      // A former name of a repository is no word of its clone.
      if prefersWords, meaning.isByName, !text.contains("://"), !text.contains("@"),
        all.contains(where: { $0.isNamed(by: [text]) })
      {
        return false
      }
      // Nobody deletes two clones by a name that two repositories have.
      if !takesFoldersWithin, meaning.isByName { _ = try CloneNames.one(of: meaning.clones, named: text) }
      // A line of a program's output, such as `.`, does not delete all that is below.
      if !takesFoldersWithin, isLine, meaning.group != nil { throw CloneNames.unknown(text) }
      let paths = meaning.clones.map { ExactText($0.path) }
      switch meaning.group {
      case .glob: globs.append(Set(paths))
      case .folder: folders.append(text)
      case nil: named.formUnion(paths)
      }
      if meaning.group != .glob {
        chosen.formUnion(paths)
        hasNames = true
      }
      return true
    }
    var words: [String] = []
    for text in texts {
      if text.trimmingWhitespace().isEmpty {
        throw ForageError("a name of a clone is empty", hint: "write a name, a path or a word")
      }
      if try !add(text) { words.append(text) }
    }
    for name in names ?? [] {
      do throws(ForageError) {
        guard try add(name, isLine: true) else { throw CloneNames.unknown(name) }
      } catch {
        failures.append(error)
      }
    }
    clones = all.filter { clone in
      let path = ExactText(clone.path)
      return (!hasNames || chosen.contains(path)) && globs.allSatisfy { $0.contains(path) }
        && clone.isNamed(by: words) && allows(clone)
    }
    let unnamed = clones.filter { !named.contains(ExactText($0.path)) }
    let unavailable = CloneState.unavailable(unnamed)
    self.unavailable = Set(unavailable.map(\.folder)).sorted { $0.bytesPrecede($1) }
    if !keepsUnavailable, !unavailable.isEmpty {
      let paths = Set(unavailable.map { ExactText($0.path) })
      clones.removeAll { paths.contains(ExactText($0.path)) }
    }
    defer { markShared() }
    guard let filter, !clones.isEmpty else { return }
    var met: [CloneState] = []
    try await CloneState.inspect(clones, filter, forage) { clone in
      if clone.error?.code == .cancelled { throw CancellationError() }
      if clone.isListed { met.append(clone) }
    }
    clones = met
  }

  /// Marks the clones of repositories of which several are chosen.
  private mutating func markShared() {
    let counts = Dictionary(clones.compactMap { clone in clone.id.map { ($0, 1) } }, uniquingKeysWith: +)
    for place in clones.indices {
      clones[place].sharesName = clones[place].id.map { counts[$0] != 1 } ?? false
    }
  }
}
