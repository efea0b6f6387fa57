import Forage
import ForageCore

/// The checked arguments of a call.
struct ToolArguments: Sendable {
  /// The maximum length of a text in bytes: far more than a query or a path has.
  static let maximumText = 64 << 10
  /// The maximum length of a list: more than there are kinds, providers or sections.
  static let maximumTexts = 100
  /// Characters of a given name or text in a message.
  static let shownLength = 64

  private let values: [String: JSONTree]

  /// The arguments that choose the results of a search, as text: all but those about a part of the list.
  var search: String {
    let others: Set = ["cursor", "limit", "maxChars"]
    let chosen = values.filter { !others.contains($0.key) }
    return String(decoding: JSONTree.object(chosen).encoded(), as: UTF8.self)
  }

  /// Checks arguments.
  ///
  /// - Throws: `ToolFailure` that names an unknown, missing or wrong argument, with the nearest known one.
  init(_ arguments: JSONTree, _ parameters: [Parameter]) throws(ToolFailure) {
    // No place in a list is its beginning.
    var given = (arguments.object ?? [:]).filter {
      $0.value != .null && !($0.key == "cursor" && $0.value.string?.isEmpty == true)
    }
    let names = parameters.map(\.name)
    for name in given.keys.sorted() where !names.contains(name) {
      let shown = String(name.prefix(Self.shownLength))
      throw ToolFailure(
        "there is no argument \"\(shown)\"",
        hint: NearestName.hint(for: shown, among: names, written: { "\"\($0)\"" })
          ?? "arguments: " + names.joined(separator: ", "))
    }
    for parameter in parameters {
      guard let value = given[parameter.name] else {
        guard !parameter.isRequired else {
          throw ToolFailure("\"\(parameter.name)\" is missing", hint: "it is \(parameter.expectation)")
        }
        continue
      }
      guard let meant = parameter.meant(by: value) else { throw Self.wrong(value, for: parameter) }
      given[parameter.name] = meant
    }
    values = given
  }

  private static func wrong(_ value: JSONTree, for parameter: Parameter) -> ToolFailure {
    if case .string(let text) = value {
      if case .choice(let names) = parameter.kind, let nearest = NearestName.of(text, among: names) {
        return ToolFailure(
          "\"\(parameter.name)\" cannot be \"\(text.prefix(shownLength))\"",
          hint: "did you mean \"\(nearest)\"?")
      }
      if text.utf8.count > maximumText {
        return ToolFailure(
          "\"\(parameter.name)\" is longer than \(maximumText) bytes", hint: "use a shorter text")
      }
    }
    return ToolFailure("\"\(parameter.name)\" has a wrong value", hint: "it is \(parameter.expectation)")
  }

  /// The schema of the arguments; others are refused.
  static func schema(_ parameters: [Parameter]) -> JSONTree {
    var members: [String: JSONTree] = [
      "type": .string("object"), "additionalProperties": .bool(false),
      "properties": .object(
        Dictionary(uniqueKeysWithValues: parameters.map { ($0.name, $0.schema) })),
    ]
    let required = parameters.filter(\.isRequired).map { JSONTree.string($0.name) }
    if !required.isEmpty { members["required"] = .array(required) }
    return .object(members)
  }

  func text(_ name: String) -> String? { values[name]?.string }
  func texts(_ name: String) -> [String] { values[name]?.array?.compactMap(\.string) ?? [] }
  func number(_ name: String) -> Int? { values[name]?.integer }
  func flag(_ name: String) -> Bool { values[name]?.bool ?? false }

  /// Where a list goes on.
  ///
  /// - Parameters:
  ///   - letter: The first character of the list's cursors, before the number.
  ///   - last: The highest number.
  /// - Throws: `ToolFailure` for a cursor of another list.
  func start(_ letter: Character, in list: String, through last: Int = .max) throws(ToolFailure) -> Int {
    guard let cursor = text("cursor") else { return 0 }
    guard cursor.first == letter, let start = Int(cursor.dropFirst()), (0...last).contains(start) else {
      throw ToolFailure(
        "\"cursor\" is not one of this \(list)", hint: "take it from \"next\" of the answer before")
    }
    return start
  }

  var maxChars: Int { min(number("maxChars") ?? ResponseLimit.standard, ResponseLimit.maximum) }

  /// The repository, or the folder of a clone, that `repo` and `path` name.
  ///
  /// A clone without a remote has its folder in place of `owner/name`.
  ///
  /// - Throws: As ``repository(_:)``; `ToolFailure` where neither or both are given.
  func place(_ forage: Forage) throws -> (repo: String?, path: String?) {
    switch (try repository(forage), text("path")) {
    case (let repo?, nil): repo.hasPrefix("/") ? (nil, repo) : (repo, nil)
    case (nil, let path?): (nil, path)
    default:
      throw ToolFailure(
        "give either \"repo\" or \"path\"", hint: "repo is owner/name, path the folder of a clone")
    }
  }

  /// The repository that `repo` names: a name alone is the clone that has it, of a clone on no forge its
  /// path.
  ///
  /// - Throws: `ToolFailure` for what is no name of a repository; `ForageError` for a name that clones of
  ///   several have; `StoreError` where the store cannot be read.
  func repository(_ forage: Forage) throws -> String? {
    guard let repo = text("repo") else { return nil }
    // A query and a fragment belong to an address; in a name they would be dropped, and another repository be
    // meant.
    let isName = !repo.contains { "?#".contains($0) } || repo.contains("://") || repo.hasPrefix("/")
    if isName, !repo.contains("/"), let id = try forage.cloneNames().repository(named: repo) { return id }
    guard isName, repo.contains("/") else {
      throw ToolFailure(
        "\"repo\" cannot be \"\(repo.prefix(Self.shownLength))\"",
        hint: "it is owner/name, host/owner/name or a URL")
    }
    return repo
  }
}
