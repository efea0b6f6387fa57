import ForageCore
import ForageGit
import ForageInspector
import ForagePlatform
import ForageStore

/// The clones of the catalogue that a command works on.
package struct ChosenClones: Sendable {
  /// By path.
  package private(set) var clones: [CloneState] = []
  /// The paths of those that were named, and not chosen by words or conditions.
  package private(set) var named: Set<String> = []
  /// What names no clone, with what to do.
  package private(set) var failures: [ForageError] = []

  /// The number of clones that the catalogue has.
  package private(set) var known = 0

  /// Chooses clones by names, and by words and conditions, all of which must hold.
  ///
  /// A name is a path, `owner/name`, the whole name of a repository, an address, or a number of the last list; any other text is a word, as of
  /// `clones list`.
  ///
  /// - Parameters:
  ///   - texts: Names and words; none for all clones.
  ///   - names: Names alone, for example from standard input; `nil` where none were asked for.
  ///   - allows: A condition on what the catalogue has.
  ///   - filter: The conditions on what an inspection finds.
  ///   - takesFoldersWithin: Whether a folder within a clone stands for it.
  /// - Throws: `ForageError` for a name among `texts` that is no clone of the catalogue; `StoreError`; `CancellationError`.
  package init(
    _ texts: [String], names: [String]? = nil, allows: (CloneState) -> Bool, _ filter: CloneFilter?,
    _ forage: Forage, lastList: () -> LastList?, takesFoldersWithin: Bool = true
  ) async throws {
    let all = try await CloneState.catalogued(forage)
    known = all.count
    var words: [String] = []
    for text in texts {
      if text.trimmingWhitespace().isEmpty {
        throw ForageError("a name of a clone is empty", hint: "write a name, a path or a word")
      }
      guard let paths = try Self.paths(text, all, forage, lastList, takesFoldersWithin) else {
        words.append(text)
        continue
      }
      named.formUnion(paths)
    }
    for name in names ?? [] {
      do throws(ForageError) {
        guard let paths = try Self.paths(name, all, forage, lastList, takesFoldersWithin) else {
          throw Self.unknown(name)
        }
        named.formUnion(paths)
      } catch {
        failures.append(error)
      }
    }
    let isNamed = names != nil || words.count < texts.count
    clones = all.filter { (!isNamed || named.contains($0.path)) && $0.isNamed(by: words) && allows($0) }
    guard let filter, !clones.isEmpty else { return }
    var met: [CloneState] = []
    try await CloneState.inspect(clones, filter, forage) { clone in
      if clone.error?.code == .cancelled { throw CancellationError() }
      if clone.isListed { met.append(clone) }
    }
    clones = met
  }

  /// The clones that a text names; `nil` for a word.
  private static func paths(
    _ text: String, _ all: [CloneState], _ forage: Forage, _ lastList: () -> LastList?,
    _ takesFoldersWithin: Bool
  ) throws(ForageError) -> Set<String>? {
    let numbers: ListNumbers?
    do { numbers = try ListNumbers(text) } catch { throw ForageError(describing: error) ?? unknown(text) }
    if let numbers { return try paths(numbers, all, lastList) }
    if let path = ReferencePath.written(text, home: forage.paths.home) {
      // A folder within a clone stands for the clone; one above clones for none.
      let real = FileAccess.realPath(path)
      let root = takesFoldersWithin ? real.flatMap { CloneProbe.root(above: $0) ?? $0 } : real
      guard let root, all.contains(where: { $0.path == root }) else {
        let outer = real.flatMap { CloneProbe.root(above: $0) }.flatMap { $0 == real ? nil : $0 }
        throw ForageError(
          "\(text) is no clone of the catalogue",
          hint: real == nil
            ? "check the path"
            : outer.map { "it lies in the clone \($0.shellQuoted)" }
              ?? "add it with: forage clones add \(text.shellQuoted)")
      }
      return [root]
    }
    let name = "/" + text.lowercased()
    var found = all.filter { $0.isClone(of: text) || ($0.id ?? $0.path).lowercased().hasSuffix(name) }.map(
      \.path)
    if found.isEmpty, let root = FileAccess.realPath(text) { found = all.map(\.path).filter { $0 == root } }
    if found.isEmpty, text.contains("://") { throw unknown(text) }
    return found.isEmpty ? nil : Set(found)
  }

  private static func paths(_ numbers: ListNumbers, _ all: [CloneState], _ lastList: () -> LastList?)
    throws(ForageError) -> Set<String>
  {
    guard let list = lastList(), numbers.range.upperBound <= list.last else {
      throw ForageError(
        "the last list of this terminal has no \(numbers.text)", hint: "list the clones: forage clones list")
    }
    var paths: Set<String> = []
    for number in numbers.range {
      let item = list[number]
      // Of a commit or a file it is the clone of its repository.
      let place = item[.path]?.text.flatMap { $0.hasPrefix("/") ? $0 : nil }
      let names = [item.id, item[.repository]?.text]
      let found = all.filter { clone in
        place.map { $0 == clone.path } ?? names.contains(clone.id ?? clone.path)
      }
      guard !found.isEmpty else {
        throw ForageError("\(number), \(item.title), is not cloned", hint: "clone it: forage clone \(number)")
      }
      paths.formUnion(found.map(\.path))
    }
    return paths
  }

  private static func unknown(_ name: String) -> ForageError {
    ForageError("\(name) is no clone of the catalogue", hint: "see: forage clones list")
  }
}
