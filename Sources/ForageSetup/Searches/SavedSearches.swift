import ForageCore
package import ForageYAML
package import Yams

/// The searches that `forage searches save` has written, in a file of the program's own beside the settings.
package struct SavedSearchesFile: OwnSettingsFile {
  package static let fileName = "searches.saved.yaml"
  package static let noun = "the list of saved searches"
  package static let head = """
    # Written by forage searches save and forage searches remove.
    # A search of the same name in config.yaml wins.

    """
  package static let advice = "correct the line, or delete the file and save the searches again"
  package static let empty: [SavedSearch] = []

  package let path: String

  package init(path: String) { self.path = path }

  /// Writes a search in place of one of its name, or removes one.
  ///
  /// - Returns: Whether one of the name was there.
  /// - Throws: `ForageError` when the file is not understood or cannot be written; it is then unchanged.
  @discardableResult
  func set(_ search: SavedSearch?, named name: String) throws(ForageError) -> Bool {
    var wasThere = false
    try change(creates: search != nil) { searches in
      wasThere = searches.contains { $0.name == name }
      searches.removeAll { $0.name == name }
      if let search { searches.append(search) }
      return wasThere || search != nil
    }
    return wasThere
  }

  private final class Reader: YAMLReader {
    var problems: [YAMLProblem] = []
  }

  package func content(of root: Node, _ problem: inout YAMLProblem?) throws(YAMLProblem) -> [SavedSearch] {
    let reader = Reader()
    let searches = reader.savedSearches(try StrictYAML.members(root, of: "the file"))
    if let problem = reader.problems.first { throw problem }
    return searches
  }

  package static func lines(_ searches: [SavedSearch]) -> [String] {
    // An object in JSON is a mapping in YAML, too; in quotes a name is never taken for a number.
    searches.sorted { $0.name < $1.name }
      .map { "\"\($0.name)\": \(JSONTree.members($0.members).text())\n" }
  }
}

extension Forage {
  /// The searches of the settings in their order, then those that were saved, by name.
  ///
  /// - Throws: `ForageError` for a file that cannot be read.
  package func savedSearches() throws(ForageError) -> [SavedSearch] {
    let own = try settings().searches
    return own
      + SavedSearchesFile(beside: paths.configFile).read().content.filter { saved in
        !own.contains { $0.name == saved.name }
      }
  }

  /// A search by its name.
  ///
  /// - Throws: `ForageError` for a name that none has.
  package func savedSearch(_ name: String) throws(ForageError) -> SavedSearch {
    let all = try savedSearches()
    if let found = all.first(where: { $0.name == name }) { return found }
    throw ForageError(
      "there is no saved search \"\(name)\"",
      hint: NearestName.hint(for: name, among: all.map(\.name))
        ?? "list them with: forage searches; to search for the word, write: forage search '\"@\(name)\"'")
  }

  /// Saves a search, in place of one that was saved under its name.
  ///
  /// - Returns: Whether there was one.
  /// - Throws: `ForageError` for a name that the settings have, and where it cannot be written.
  package func save(_ search: SavedSearch) throws(ForageError) -> Bool {
    if try settings().searches.contains(where: { $0.name == search.name }) {
      throw ForageError(
        "\(search.name) is a search of \(paths.configFile), which wins",
        hint: "change it there, or choose another name")
    }
    return try SavedSearchesFile(beside: paths.configFile).set(search, named: search.name)
  }

  /// Removes a search that was saved, and what is known of its results.
  ///
  /// - Throws: `ForageError` for a name that none has, and for one of the settings.
  package func removeSavedSearch(_ name: String) throws(ForageError) {
    let search = try savedSearch(name)
    guard !search.isOfSettings else {
      throw ForageError("\(name) is a search of \(paths.configFile)", hint: "remove it there")
    }
    try SavedSearchesFile(beside: paths.configFile).set(nil, named: name)
    SeenResults(paths, of: name).forget()
  }
}
