import ForageCore
import ForageFoundation
import ForageGit
import ForagePlatform
import ForagePluginHost
import ForageStore

/// The declarations of a compiled plugin about its providers (`--declare`), where its `plugin.json` says
/// something else.
package struct PluginDeclaration {
  /// The members that the program declares.
  private static let declared: Set<String> = ["kinds", "fields", "concurrency", "providers"]
  /// How the programs of Linux and of macOS begin. Others, such as scripts, are not asked: they know no
  /// `--declare`.
  private static let beginnings: [[UInt8]] = [
    [0x7F, 0x45, 0x4C, 0x46], [0xCF, 0xFA, 0xED, 0xFE], [0xCA, 0xFE, 0xBA, 0xBE],
  ]
  private static let timeLimit = Duration.seconds(3)
  private static let outputLimit = 1 << 20

  /// The path of the `plugin.json`.
  package let path: String
  /// The names of the members that differ, sorted.
  package let names: [String]
  private let text: String

  /// Asks a plugin; `nil` where its program is none that was compiled, does not know `--declare`, or says the
  /// same.
  ///
  /// - Parameter plugin: Runs with the permissions of the user.
  init?(of plugin: FoundPlugin, environment: [String: String]) async {
    guard case .file = plugin.manifest.program, var launch = try? plugin.launch(environment: environment),
      Self.isCompiled(launch.program)
    else { return nil }
    path = plugin.folder + "/" + PluginManifest.fileName
    (launch.arguments, launch.output, launch.error) = (["--declare"], .pipe, .pipe)
    guard
      let result = try? await ChildProgram.run(
        launch, outputLimit: Self.outputLimit, timeLimit: Self.timeLimit), result.isSuccess,
      case .object(let new)? = try? JSONTree(parsing: result.output),
      new.contains(where: { ["kinds", "providers"].contains($0.0) }),
      Self.declared.isSuperset(of: new.map(\.0)),
      let bytes = FileManager.default.contents(atPath: path),
      case .object(let old)? = try? JSONTree(parsing: Array(bytes))
    else { return nil }
    let members = Self.members(old, declaring: new)
    names = Self.declared.filter { Self.value($0, in: old) != Self.value($0, in: members) }
      .sorted()
    if names.isEmpty { return nil }
    text = JSONTree.object(members).text(isPretty: true) + "\n"
  }

  private typealias Members = [(String, JSONTree)]

  private static func value(_ name: String, in members: Members) -> JSONTree? {
    members.first { $0.0 == name }?.1
  }

  /// The members of a `plugin.json`, or of a provider of it, with what the program declares.
  ///
  /// Fields are people's as well: their titles, columns and units may stand in the file alone.
  private static func members(_ old: Members, declaring new: Members) -> Members {
    var members = old.filter { name, _ in
      let isKept = name == "fields" && value("providers", in: new) == nil
      return !declared.contains(name) || isKept || value(name, in: new) != nil
    }
    for (name, declared) in new {
      let index = members.firstIndex { $0.0 == name }
      let known = index.map { members[$0].1 }
      let value: JSONTree =
        switch (name, known, declared) {
        case ("fields", .object(let fields)?, .object(let others)): .object(combined(fields, others))
        case ("providers", .array(let all)?, .array(let others)): .array(providers(all, others))
        default: declared
        }
      if let index { members[index].1 = value } else { members.append((name, value)) }
    }
    return members
  }

  /// The members of two objects, where those of the second one take precedence, also in the objects that both
  /// have.
  private static func combined(_ old: Members, _ new: Members) -> Members {
    old.map { name, known in
      guard let declared = value(name, in: new) else { return (name, known) }
      guard case .object(let first) = known, case .object(let second) = declared else {
        return (name, declared)
      }
      return (name, .object(combined(first, second)))
    } + new.filter { value($0.0, in: old) == nil }
  }

  /// The providers that a program declares, each with what the one of its id has in the file.
  private static func providers(_ old: [JSONTree], _ new: [JSONTree]) -> [JSONTree] {
    func members(_ provider: JSONTree) -> Members {
      if case .object(let members) = provider { members } else { [] }
    }
    return new.map { provider in
      let declared = members(provider)
      let id = value("id", in: declared)
      let known = old.map(members).first { value("id", in: $0) == id } ?? []
      return .object(self.members(known, declaring: declared))
    }
  }

  /// Writes it into the `plugin.json`.
  ///
  /// - Throws: `ForageError` where that cannot be written.
  package func write() throws(ForageError) {
    guard PrivateFile.replace(path, with: Array(text.utf8)) else {
      throw ForageError(unwritable: path, "the declaration")
    }
  }

  private static func isCompiled(_ program: String) -> Bool {
    let beginning = try? FileAccess.read(program, limit: .max, first: 4)
    return beginning.map(beginnings.contains) ?? false
  }
}
