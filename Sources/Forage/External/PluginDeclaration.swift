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
      case .object(let new)? = try? JSONValue(parsing: String(decoding: result.output, as: UTF8.self)),
      new.contains(where: { ["kinds", "providers"].contains($0.0) }),
      Self.declared.isSuperset(of: new.map(\.0)),
      let bytes = FileManager.default.contents(atPath: path),
      case .object(var members)? = try? JSONValue(parsing: String(decoding: bytes, as: UTF8.self))
    else { return nil }
    func value(_ name: String, in members: [(String, JSONValue)]) -> JSONTree? {
      members.first { $0.0 == name }?.1.tree
    }
    let old = members
    names = Self.declared.filter { value($0, in: old) != value($0, in: new) }.sorted()
    if names.isEmpty { return nil }
    members.removeAll { member in Self.declared.contains(member.0) && value(member.0, in: new) == nil }
    for (name, value) in new {
      if let index = members.firstIndex(where: { $0.0 == name }) {
        members[index].1 = value
      } else {
        members.append((name, value))
      }
    }
    text = JSONValue.object(members).text(isPretty: true) + "\n"
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
