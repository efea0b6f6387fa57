import ArgumentParser
import Forage
import ForageCore
import ForageFoundation
import ForageGitHub
import ForageLocal
import ForageManifest
import ForagePluginHost
import ForageStore

/// Words that a shell offers for a value. They are found on this machine, without a request or a child process.
enum Completion {
  /// The variables by which settings and catalogue are found, `nil` for those of the process.
  @TaskLocal static var environment: [String: String]?

  /// Kinds of results, separated by commas.
  static let kinds = list { $0.kinds }
  /// Ids of providers, separated by commas.
  static let providers = list { $0.providers }
  /// The id of one provider.
  static let provider = one { $0.providers }
  /// The id of one GitHub.
  static let forge = one { $0.forges }
  /// A sort key.
  static let sorts = one { $0.sorts }
  /// The id of an installed plugin or manifest.
  static let plugin = one { $0.plugins }
  /// A folder that is searched for clones.
  static let cloneFolder = one { $0.cloneFolders }
  /// The id of a favorite.
  static let favorite = one { $0.favorites }
  /// A repository that is cloned here or a favorite.
  static let reference = one { $0.references }
  /// Fields of the command's JSON document, separated by commas.
  static let fields = CompletionKind.custom { words, _, prefix in
    answer(fieldNames(words), to: prefix, isList: true)
  }

  private static func one(_ words: @escaping @Sendable (CompletionSource) -> [String]) -> CompletionKind {
    .custom { _, _, prefix in answer(words(CompletionSource(environment)), to: prefix, isList: false) }
  }

  private static func list(_ words: @escaping @Sendable (CompletionSource) -> [String]) -> CompletionKind {
    .custom { _, _, prefix in answer(words(CompletionSource(environment)), to: prefix, isList: true) }
  }

  /// One of these words, or several separated by commas.
  static func list(of words: [String]) -> CompletionKind {
    .custom { _, _, prefix in answer(words, to: prefix, isList: true) }
  }

  /// The words that a shell may show: of a list, what is typed up to the last comma and each word that it does not name yet.
  static func answer(_ words: [String], to prefix: String, isList: Bool) -> [String] {
    let typed = isList ? prefix.split(separator: ",", omittingEmptySubsequences: false).dropLast() : []
    let start = typed.map { $0 + "," }.joined()
    var seen = Set(typed.map(String.init))
    return words.filter { isHarmless($0) && seen.insert($0).inserted }.map { word in
      switch CompletionShell.requesting {
      // In zsh a description follows a colon.
      case .zsh: (start + word).replacing(":", with: "\\:")
      // In fish it follows a tab; a word without one gets the description of the option.
      case .fish: start + word + "\t"
      default: start + word
      }
    }
  }

  /// Whether a word contains nothing that a shell expands or a terminal interprets: bash expands the words that it is given.
  private static func isHarmless(_ word: String) -> Bool {
    !word.isEmpty && SafeText.line(word) == word
      && !word.contains { "$`\\\"'".contains($0) || $0.isNewline }
  }

  /// The fields of the command among the words of a command line.
  private static func fieldNames(_ words: [String]) -> [String] {
    var commands = ForageCommand.configuration.subcommands
    var command: (any ParsableCommand.Type)?
    for word in words.dropFirst() {
      guard let next = commands.first(where: { $0.isCalled(word) }) else { continue }
      (command, commands) = (next, next.configuration.subcommands)
      if commands.isEmpty { break }
    }
    let chosen = commands.isEmpty ? command : command?.configuration.defaultSubcommand
    return (chosen as? any ReportingCommand.Type)?.fields.names ?? []
  }
}

/// What this machine knows that can be offered; what cannot be read is left out.
struct CompletionSource {
  private let services: Services
  private let settings: Settings

  init(_ environment: [String: String]?) {
    services = Services(environment: environment ?? ProcessVariables.all, reporter: Reporter())
    settings = (try? services.settings()) ?? Settings()
  }

  /// The ids of the GitHubs.
  var forges: [String] { services.instances.map(\.id) }

  var providers: [String] {
    (forges + Services.types.map(\.name) + services.installed().ids.providers + settings.added).unique
  }

  var plugins: [String] { services.installed().rows.map(\.id).unique }

  private var descriptors: [ProviderDescriptor] {
    BuiltInProvider.all.map(\.descriptor)
      + services.installed().manifests.found.map { $0.manifest.descriptor() }
  }

  var kinds: [String] {
    let known = descriptors.flatMap { $0.kinds.keys.map(\.rawValue) }
    let others = services.installed().plugins.plugins.flatMap { $0.manifest.kinds.map(\.rawValue) }
    return Set(known + others + [ResultKind.pullRequest.rawValue]).sorted()
  }

  var sorts: [String] {
    Set(
      descriptors.flatMap { $0.kinds.values.flatMap { $0.sorts + ($0.feed?.sorts ?? []) } }
    ).sorted()
  }

  private var store: Store? { try? services.store.existing() }

  var cloneFolders: [String] { ((try? store?.cloneFolders()) ?? []).map(\.path) }

  var favorites: [String] {
    ((try? store?.favorites()) ?? []).map { short($0.name) }
  }

  var references: [String] {
    let clones = ((try? store?.clones()) ?? []).compactMap(\.entityName).map(short)
    return (favorites + clones).unique
  }

  /// The id without the host that plain names mean.
  private func short(_ id: String) -> String {
    let main = try? services.instances.first?.host.get()
    let hosts = (main?.entityHosts ?? [GitHubHost.dotCom]).map { $0 + "/" }
    return hosts.first(where: id.hasPrefix).map { String(id.dropFirst($0.count)) } ?? id
  }
}

extension [String] {
  /// The strings, each once, in their order.
  fileprivate var unique: [String] {
    var seen: Set<String> = []
    return filter { seen.insert($0).inserted }
  }
}
