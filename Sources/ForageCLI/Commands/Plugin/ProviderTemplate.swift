package import Forage
import ForageCore
import ForageFoundation

/// A template of `forage plugin new`: a folder of files in which `{{id}}`, `{{name}}` and `{{sdk}}` are
/// replaced, also in their names.
package struct ProviderTemplate: Sendable {
  /// How a provider is added, and the name of the template's folder.
  package enum Kind: String, CaseIterable, Sendable {
    /// A YAML file that describes an API.
    case manifest
    /// A program on the SDK.
    case swift
    /// A program of one file that needs only `python3`.
    case python
  }

  package struct File: Hashable, Sendable {
    /// Its path within the new folder, with `/` between its parts.
    package var path: String
    package var text: String
  }

  /// The id of the provider, and the name of its folder.
  package let id: String
  /// The folder of the package with the SDK for plugins in Swift.
  package let sdk: String

  /// A checkout of this package beside the folder of the plugin.
  package static let standardSDK = "../forage"

  /// Creates a template.
  ///
  /// - Parameters:
  ///   - id: An id for which `fault(in:taken:)` finds nothing.
  ///   - sdk: The folder of the package with the SDK for plugins in Swift.
  package init(id: String, sdk: String = standardSDK) {
    self.id = id
    self.sdk = sdk
  }

  /// The files of a template with their placeholders replaced, in the order of their paths.
  ///
  /// - Parameter folder: The folder of the template.
  /// - Returns: No files if there is no such folder.
  package func files(in folder: String) -> [File] {
    let paths = (try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? []
    return paths.sorted().compactMap { path in
      // Folders have no contents.
      FileManager.default.contents(atPath: folder + "/" + path).map { contents in
        File(path: filled(path), text: filled(String(decoding: contents, as: UTF8.self)))
      }
    }
  }

  private func filled(_ text: String) -> String {
    text.replacing("{{id}}", with: id).replacing("{{name}}", with: name)
      .replacing("{{sdk}}", with: sdk)
  }

  /// The id as a person writes it: words, the first with a capital letter.
  private var name: String {
    let words = id.split { "-_.".contains($0) }.joined(separator: " ")
    return words.prefix(1).uppercased() + words.dropFirst()
  }

  /// The command to run first, in the folder above the new one.
  package func nextStep(_ kind: Kind) -> String {
    switch kind {
    case .manifest: "forage plugin validate \(id)/\(id).yaml"
    case .swift: "swift build -c release --package-path \(id) && forage plugin validate \(id)"
    case .python: "forage plugin validate \(id)"
    }
  }

  /// The error of a name; `nil` for a valid one.
  ///
  /// - Parameter taken: The ids of providers that are there.
  package static func fault(in name: String, taken: [String]) -> ForageError? {
    guard !name.isEmpty else {
      return ForageError("a plugin needs a name", hint: "for example: forage plugin new acme --kind manifest")
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
}
