import Forage
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

  /// Where the package of this program is, for plugins in Swift.
  package enum Package: Hashable, Sendable {
    /// In a repository, from a version on.
    case repository(url: String, version: String)
    /// In a folder of this machine, unless `FORAGE_PACKAGE` names another when the plugin is built.
    case folder(String)

    /// In a checkout beside the plugin's own folder.
    package static let standard = Package.folder("../forage")
  }

  /// One file.
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
  /// Where the package of this program is.
  package let package: Package

  /// Creates a scaffold.
  ///
  /// - Parameters:
  ///   - name: An id for which `fault(in:taken:)` finds nothing.
  ///   - package: Where plugins in Swift find the SDK.
  package init(name: String, package: Package = .standard) {
    self.name = name
    self.package = package
  }

  /// The files of a new provider.
  ///
  /// - Throws: `ForageError` for a name that cannot be one.
  package static func files(kind: Kind, name: String, taken: some Sequence<String> = []) throws -> [File] {
    if let fault = fault(in: name, taken: taken) { throw ForageError(fault.message, hint: fault.hint) }
    return Scaffold(name: name).files(kind)
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
  package static func fault(in name: String, taken: some Sequence<String> = []) -> (
    message: String, hint: String
  )? {
    guard !name.isEmpty else { return ("a plugin needs a name", "for example: forage plugin new acme") }
    guard ProviderDescriptor.isID(name) else {
      let rules = "lower-case letters, digits, -, _ and ., beginning with a letter or digit"
      guard name.utf8.count <= ProviderDescriptor.longestID else {
        return (
          "\"\(name)\" has \(name.utf8.count) characters, more than \(ProviderDescriptor.longestID)",
          "choose a shorter name: it is typed in options and stands in tables"
        )
      }
      let suggestion = suggestion(for: name).map { ", for example: \($0)" } ?? ""
      return ("\"\(name)\" cannot be the name of a plugin", "a name has \(rules)\(suggestion)")
    }
    if taken.contains(name) {
      return (
        "there is a provider \"\(name)\" already",
        "choose another name; forage providers lists those that are taken"
      )
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
    return ProviderDescriptor.isID(result) ? result : nil
  }

  /// The name as a person writes it: words, the first with a capital letter.
  var title: String {
    let words = name.split { "-_.".contains($0) }.joined(separator: " ")
    return words.prefix(1).uppercased() + words.dropFirst()
  }
}
