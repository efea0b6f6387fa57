package import Forage
import ForageCore

/// What `forage plugin new` writes: the files of a provider that works at once and waits to be made into another.
package struct Scaffold: Sendable {
  /// How a provider is added.
  package enum Kind: String, CaseIterable, Sendable {
    /// A YAML file that describes an API.
    case manifest
    /// A program on the SDK.
    case swift
    /// A program of one file that needs nothing but `python3`.
    case python
  }

  /// A checkout of the package of this program beside the plugin's own folder.
  package static let standardSDK = "../forage"

  package struct File: Hashable, Sendable {
    /// Its path within the new folder, with `/` between its parts.
    package var path: String
    /// What stands in it.
    package var contents: String
    /// Whether it is a program.
    package var isExecutable = false
  }

  /// The id of the provider, and the name of its folder.
  package let name: String
  /// The folder of the package of this program, unless `FORAGE_PACKAGE` names another when a plugin in Swift is built.
  package let sdk: String

  /// Creates a scaffold.
  ///
  /// - Parameters:
  ///   - name: An id for which `fault(in:taken:)` finds nothing.
  ///   - sdk: The folder of the package with the SDK for plugins in Swift.
  package init(name: String, sdk: String = standardSDK) {
    self.name = name
    self.sdk = sdk
  }

  /// The files of one kind, in the order in which they are listed.
  package func files(_ kind: Kind) -> [File] {
    switch kind {
    case .manifest: manifestFiles
    case .swift: swiftFiles
    case .python: pythonFiles
    }
  }

  /// What to do first, from the folder above the new one.
  package func nextStep(_ kind: Kind) -> String {
    switch kind {
    case .manifest: "forage plugin validate \(name)/\(name).yaml"
    case .swift: "swift build -c release --package-path \(name) && forage plugin validate \(name)"
    case .python: "forage plugin validate \(name)"
    }
  }

  /// What is wrong with a name, `nil` for nothing.
  ///
  /// - Parameter taken: The ids of providers that are there.
  package static func fault(in name: String, taken: [String]) -> ForageError? {
    guard !name.isEmpty else {
      return ForageError("a plugin needs a name", hint: "for example: forage plugin new acme")
    }
    guard ProviderInfo.isID(name) else {
      let rules = "lower-case letters, digits, -, _ and ., beginning with a letter or digit"
      guard name.utf8.count <= ProviderInfo.longestID else {
        return ForageError(
          "\"\(name)\" has \(name.utf8.count) characters, more than \(ProviderInfo.longestID)",
          hint: "choose a shorter name: it is typed in options and stands in tables")
      }
      let suggestion = suggestion(for: name).map { ", for example: \($0)" } ?? ""
      return ForageError(
        "\"\(name)\" cannot be the name of a plugin", hint: "a name has \(rules)\(suggestion)")
    }
    if taken.contains(name) {
      return ForageError(
        "there is a provider \"\(name)\" already",
        hint: "choose another name; forage providers lists those that are taken")
    }
    return nil
  }

  /// The nearest name that can be one, `nil` where nothing is left of it.
  private static func suggestion(for name: String) -> String? {
    var result = ""
    for scalar in name.lowercased().unicodeScalars {
      let isPlain = ("a"..."z").contains(scalar) || ("0"..."9").contains(scalar)
      if isPlain || "_.".unicodeScalars.contains(scalar) && !result.isEmpty {
        result.unicodeScalars.append(scalar)
      } else if !result.isEmpty, !result.hasSuffix("-") {
        result += "-"
      }
    }
    while result.hasSuffix("-") { result.removeLast() }
    return ProviderInfo.isID(result) ? result : nil
  }

  /// The name as a person writes it: words, the first with a capital letter.
  var title: String {
    let words = name.split { "-_.".contains($0) }.joined(separator: " ")
    return words.prefix(1).uppercased() + words.dropFirst()
  }
}
