package import ForageCore
package import ForagePluginProtocol

/// What a plugin says of itself in its `plugin.json`, before anything of it runs.
package struct PluginManifest: Sendable {
  /// A setting that the plugin takes.
  package struct Setting: Hashable, Sendable {
    /// Its value where the user sets none, `nil` for none.
    package var standard: JSONTree?
    /// What it is for.
    package var description: String?
  }

  /// Bytes of a `plugin.json`: a description, not a program.
  package static let byteLimit = 256 << 10
  /// Entries of any of its lists; nobody would read more before trusting it.
  package static let listLimit = 256
  /// The name of the file.
  package static let fileName = "plugin.json"

  /// What names the plugin; its folder has the same name.
  package var id: String
  /// What a person calls it.
  package var name: String
  /// Its version, in whatever form.
  package var version: String
  /// The words of its command line; the first names the program.
  package var command: [String]
  /// The files of its folder that it runs, relative to the folder.
  package var files: [String]
  /// The kinds of results that it may have.
  package var kinds: [ResultKind]
  /// The hosts that it speaks for and with.
  package var hosts: [String]
  /// The names of the secrets that it takes.
  package var secrets: [String]
  /// The settings that it takes, by name.
  package var config: [String: Setting]
  /// What it provides, where it says so before it is started; otherwise one provider of its own id.
  package var providers: [ProviderDeclaration]

  /// The program that its command line begins with.
  package var program: PluginProgram { PluginProgram(command.first ?? "", files: files) }

  /// The files by which it is trusted beside `plugin.json`, relative to its folder, each once, sorted.
  package var trustedFiles: [String] {
    var names = Set(files)
    if case .file(let name) = program { names.insert(name) }
    return names.sorted()
  }

  /// The ids of its providers.
  package var providerIDs: [String] { providers.isEmpty ? [id] : providers.map(\.id) }
}

/// Where the program of a plugin is.
package enum PluginProgram: Hashable, Sendable {
  /// At an absolute path, outside of what the plugin is trusted by.
  case absolute(String)
  /// A file of the plugin's folder.
  case file(String)
  /// Looked up in `PATH` whenever it is started, for example `python3`.
  case search(String)

  /// Reads the first word of a command line.
  init(_ word: String, files: [String]) {
    if word.hasPrefix("/") {
      self = .absolute(word)
    } else if word.hasPrefix("./") {
      self = .file(String(word.dropFirst(2)))
    } else if files.contains(word) {
      self = .file(word)
    } else {
      self = .search(word)
    }
  }
}
