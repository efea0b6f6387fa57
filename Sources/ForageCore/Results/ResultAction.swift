/// An action on a result: a program that runs with values of the result as arguments.
package struct ResultAction: Hashable, Sendable {
  /// Its name in commands: letters, digits, `-` and `_`.
  package var name: String
  /// The letter that runs it in `browse`; `nil` for none.
  package var key: Character?
  /// A description, for the help of `browse`.
  package var title: String
  /// The kinds of results that it takes; `pr` are the issues that are pull requests; empty for all.
  package var kinds: Set<String>
  /// The program and its arguments, in which `{name}` stands for a value of the result.
  package var command: [String]
  /// Whether it runs in the clone of the result's repository.
  package var isInClone: Bool
  /// Whether `browse` shows what the program wrote until the user presses Enter.
  package var waits: Bool
  /// The id of the plugin that it is of, whose results alone it takes; `nil` for one of the settings.
  package var plugin: String?
  /// The ids of the providers of that plugin, and its hosts.
  package var owners: Set<String> = []

  package init(
    name: String, key: Character? = nil, title: String? = nil, kinds: Set<String> = [], command: [String],
    isInClone: Bool = false, waits: Bool = true, plugin: String? = nil, owners: Set<String> = []
  ) {
    (self.name, self.key, self.title, self.kinds) = (name, key, title ?? name, kinds)
    (self.command, self.isInClone, self.waits) = (command, isInClone, waits)
    (self.plugin, self.owners) = (plugin, owners)
  }

  /// Its name with that of its plugin, `acme/close`, by which it is named where another one has its name,
  /// too.
  package var fullName: String { plugin.map { "\($0)/\(name)" } ?? name }

  /// The placeholder in the text of a script, which a value would be a part of; `nil` where a command has
  /// none.
  ///
  /// Scripts are what stands after an option such as `-c` of a shell or `-e` of a language.
  package static func placeholderInScript(_ command: [String]) -> String? {
    guard let program = command.first?.split(separator: "/").last, interpreters.contains(String(program))
    else {
      return nil
    }
    for (option, script) in zip(command.dropFirst(), command.dropFirst(2)) {
      let isScript =
        option.hasPrefix("-") && !option.hasPrefix("--") && option.last.map("ceE".contains) == true
      guard isScript || ["--eval", "--command"].contains(option) else { continue }
      if let name = placeholders(in: script).first { return "{\(name)}" }
    }
    return nil
  }

  private static let interpreters: Set<String> = [
    "ash", "bash", "dash", "fish", "ksh", "sh", "zsh", "awk", "lua", "node", "perl", "php", "python",
    "python3", "ruby",
    "swift",
  ]

  /// Whether it takes a result.
  package func takes(_ result: SearchResult) -> Bool {
    let places = [":", "/"].map { end in String(result.id.prefix { String($0) != end }) }
    let isOfPlugin = plugin == nil || places.contains(where: owners.contains)
    let isPullRequest = result.kind == .issue && result[.isPullRequest]?.flag == true
    return isOfPlugin
      && (kinds.isEmpty || kinds.contains(result.kind.rawValue) || isPullRequest && kinds.contains("pr"))
  }

  /// The words of the command for a result; each value is a part of one word, whatever is in it.
  ///
  /// - Parameter clone: The folder of the clone of its repository; `nil` without one.
  /// - Throws: `SearchError` for a value that the result does not have, and for one that would be taken for
  ///   an option.
  package func words(for result: SearchResult, clone: String?) throws(SearchError) -> [String] {
    var words: [String] = []
    for word in command {
      var (text, rest) = ("", word[...])
      while let placeholder = Self.placeholder(in: rest) {
        text += rest[..<placeholder.range.lowerBound]
        let name = placeholder.name
        guard let value = Self.value(name, of: result, clone: clone), !value.isEmpty else {
          throw SearchError(
            .unsupportedQuery,
            "\(self.name) needs {\(name)}, which \(result.title.isEmpty ? result.id : result.title) does not have",
            hint: name == "clone" ? "clone it first" : "")
        }
        guard !value.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
          throw SearchError(
            .unsupportedQuery, "\(self.name) does not take {\(name)}, which has control characters in it")
        }
        // What comes from a service must not be an option of the program; after `--` there are none.
        guard !(text.isEmpty && value.hasPrefix("-")) || words.contains("--") else {
          throw SearchError(
            .unsupportedQuery, "\(self.name) does not take {\(name)}, which begins with a hyphen",
            hint: "write -- before it in the action, if its program knows that")
        }
        text += value
        rest = rest[placeholder.range.upperBound...]
      }
      words.append(text + rest)
    }
    return words
  }

  /// The first `{name}` of a text, with the name: a letter, then letters, digits, `-` and `_`. Other braces
  /// are text.
  private static func placeholder(in text: Substring) -> (range: Range<String.Index>, name: String)? {
    var rest = text
    while let open = rest.firstIndex(of: "{") {
      rest = rest[rest.index(after: open)...]
      let name = rest.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") }
      guard name.first?.isLetter == true, name.endIndex < rest.endIndex, rest[name.endIndex] == "}" else {
        continue
      }
      return (open..<rest.index(after: name.endIndex), String(name))
    }
    return nil
  }

  /// The names in braces in a text.
  private static func placeholders(in text: String) -> [String] {
    var (names, rest) = ([String](), text[...])
    while let placeholder = placeholder(in: rest) {
      names.append(placeholder.name)
      rest = rest[placeholder.range.upperBound...]
    }
    return names
  }

  /// A fault: a value that no result can give it.
  package struct Fault: Hashable, Sendable {
    /// For use after the name of the action, for example `needs {titel}, which no result has`.
    package let message: String
    package let hint: String
  }

  /// The names that none of its results can have: its kinds, and placeholders in its command.
  ///
  /// - Parameters:
  ///   - kinds: The kinds of the results.
  ///   - fields: The fields that they have besides the known ones.
  package func faults(kinds: some Sequence<ResultKind>, fields: some Sequence<String>) -> [Fault] {
    var kinds = kinds.map(\.rawValue)
    let known = ResultField.order + ResultField.ofSomeKinds
    let values = Set(Self.valueNames + known.map(\.rawValue) + fields)
    if kinds.contains(ResultKind.issue.rawValue) { kinds.append("pr") }
    let ofKinds = self.kinds.sorted().filter { !kinds.contains($0) }.map { kind in
      Fault(
        message: "takes the kind \(kind), which no result has",
        hint: NearestName.hint(for: kind, among: kinds) ?? "name a kind that a provider has")
    }
    let names = command.flatMap(Self.placeholders)
    return ofKinds
      + Set(names).subtracting(values).sorted().map { name in
        Fault(
          message: "needs {\(name)}, which no result has",
          hint: NearestName.hint(for: name, among: values.sorted())
            ?? "name a field that a provider has; see: forage act --help")
      }
  }

  /// The placeholders besides the names of fields.
  private static let valueNames = ["id", "kind", "title", "url", "clone", "repository", "owner", "number"]

  /// The letters that `browse` itself uses in the list or in the details, so that no action can have them.
  package static let reservedKeys: Set<Character> = Set("kjgGlhFRnNwWdurq?/[]ptsfoeycxib ")

  /// Whether its key never runs it, because an action that comes before has the key and takes all of its
  /// results.
  package func isHidden(by other: ResultAction) -> Bool {
    let isOfAll = other.plugin == nil || plugin != nil && owners.isSubset(of: other.owners)
    let taken = other.kinds.contains(ResultKind.issue.rawValue) ? other.kinds.union(["pr"]) : other.kinds
    return key != nil && key == other.key && isOfAll
      && (taken.isEmpty || !kinds.isEmpty && kinds.isSubset(of: taken))
  }

  /// The value of a placeholder; `nil` where the result has none.
  private static func value(_ name: String, of result: SearchResult, clone: String?) -> String? {
    let entity = EntityReference(result.id, defaultHost: "").flatMap { $0.id == result.id ? $0 : nil }
    // What a result says of its repository comes before what its address says.
    let named = result[.repository]?.text.flatMap { EntityReference($0, defaultHost: "") }
    let repository = named?.subject == .repository ? named : entity
    switch name {
    case "id": return result.id
    case "kind": return result.kind.rawValue
    case "title": return result.title
    case "url": return result.url
    case "clone": return clone
    case "repository" where repository?.repositoryID != nil: return repository?.repositoryID
    case "owner" where repository != nil: return repository?.owner
    case "number":
      switch entity?.subject {
      case .issue(let number), .mergeRequest(let number): return String(number)
      default: break
      }
    default: break
    }
    return result[ResultField(rawValue: name)]?.plainText
  }
}
