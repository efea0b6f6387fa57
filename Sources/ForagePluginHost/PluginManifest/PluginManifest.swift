package import ForageCore
import ForageYAML

/// The description of a plugin in its `plugin.json`.
package struct PluginManifest: Sendable {
  package struct Setting: Hashable, Sendable {
    package var standard: JSONTree?
    package var description: String?
  }

  /// A secret that is sent in a header field.
  package struct Auth: Hashable, Sendable {
    /// The name of the secret.
    package var secret: String
    package var header: String
    /// The text before the secret.
    package var prefix: String
  }

  /// A provider as the file declares it.
  package struct Provider: Sendable {
    package var info: ProviderInfo
    package var kinds: [ResultKind: Abilities]
    /// The kinds for which it supports `details`.
    package var detailedKinds: Set<ResultKind>
    /// The number of requests that it handles at a time, from 1 to 16.
    var concurrency: Int
  }

  static let byteLimit = StrictYAML.maximumBytes
  /// The maximum length of its lists, so that a user can review them before trusting the plugin.
  package static let listLimit = 256
  package static let fileName = "plugin.json"

  /// The plugin's id, which is also the name of its folder.
  package var id: String
  package var name: String
  /// Its version, in any format.
  package var version: String
  /// The words of its command line; the first is the program.
  package var command: [String]
  /// The words of the command line that makes its files from its sources; empty where there is nothing to
  /// make.
  package var build: [String] = []
  /// The files in its folder that it runs, relative to the folder.
  package var files: [String]
  /// The hosts that it connects to and whose entities it may return.
  package var hosts: [String]
  package var secrets: [String]
  /// The secret that the host adds to requests of the plugin, which does not get it; `nil` for none.
  package var auth: Auth? = nil
  package var config: [String: Setting]
  /// The actions on its results.
  package var actions: [ResultAction] = []
  /// Its providers, at least one.
  package var providers: [Provider]

  /// The kinds of the results of all its providers, sorted by name.
  package var kinds: [ResultKind] {
    Set(providers.flatMap { $0.kinds.keys }).sorted { $0.rawValue < $1.rawValue }
  }

  package var program: PluginProgram { PluginProgram(command.first ?? "", files: files) }

  /// The files that trust covers besides `plugin.json`, relative to its folder, sorted and without
  /// duplicates.
  package var trustedFiles: [String] {
    var names = Set(files)
    if case .file(let name) = program { names.insert(name) }
    return names.sorted()
  }

  /// The secrets that the plugin itself gets.
  package var ownSecrets: [String] { secrets.filter { $0 != auth?.secret } }

  package var providerIDs: [String] { providers.map(\.info.id) }
}

/// The forms of names and paths.
extension PluginManifest {
  /// A path without a leading `./`.
  static func plainName(_ path: String) -> String {
    var rest = path[...]
    while rest.hasPrefix("./") { rest = rest.dropFirst(2) }
    return String(rest)
  }

  /// Whether a path is relative and has no components that leave its folder.
  static func isInside(_ path: String) -> Bool {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    return !path.isEmpty && !path.utf8.contains(0)
      && !parts.contains { $0.isEmpty || $0 == "." || $0 == ".." }
  }

  /// The maximum length of a host with its port in bytes: a domain name has up to 253.
  private static let hostLimit = 300

  /// Whether a text is a valid host with an optional port.
  static func isHost(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count <= hostLimit && text.consists(of: "a"..."z", "0"..."9", and: ".-:[]")
  }

  static func isName(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count <= ProviderInfo.longestID
      && text.consists(of: "a"..."z", "A"..."Z", "0"..."9", and: "-_")
  }
}

package enum PluginProgram: Hashable, Sendable {
  /// An absolute path, which trust does not cover.
  case absolute(String)
  case file(String)
  /// A name that is searched in `PATH` at each start, for example `python3`.
  case search(String)

  init(_ word: String, files: [String]) {
    if word.hasPrefix("/") {
      self = .absolute(word)
    } else if word.hasPrefix("./") {
      self = .file(PluginManifest.plainName(word))
    } else if files.contains(word) {
      self = .file(word)
    } else {
      self = .search(word)
    }
  }
}
