import ArgumentParser
import Forage
import ForageCore

/// `forage providers`: lists providers and shows what each can do.
struct ProvidersCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "providers", abstract: "List, show, enable and disable providers.",
    discussion: """
      Further servers are added in the settings (see: forage doctor), for example a GitHub Enterprise Server and a GitLab:

        providers:
          work: {type: github, url: "https://HOST/api/v3"}
          ours: {type: gitlab, config: {url: "https://HOST"}}
      """,
    subcommands: [List.self, Show.self, Enable.self, Disable.self],
    defaultSubcommand: List.self)

  private static let fields = [
    "id", "name", "origin", "enabled", "kinds", "qualifiers", "sorts", "feed", "details", "abilities",
    "hosts", "config", "secrets", "secretVariables", "addedSecret", "fields", "actions",
    "path", "reason",
  ]

  static func json(_ entry: ProviderSummary) -> JSONTree {
    let abilities = entry.kinds.sorted { $0.key.rawValue < $1.key.rawValue }
    let bound = entry.variables.filter { !$0.value.isEmpty }.sorted { $0.key < $1.key }
    var qualifiers: [String: Pushdown] = [:]
    for (_, ability) in abilities { qualifiers.merge(ability.qualifiers) { first, _ in first } }
    return JSONTree([
      "id": entry.info.id, "name": entry.info.name, "origin": entry.origin, "enabled": entry.isEnabled,
      "kinds": abilities.map(\.key.rawValue), "qualifiers": json(qualifiers),
      "sorts": Set(abilities.flatMap(\.value.sorts)).sorted(), "feed": entry.hasFeed,
      "details": entry.hasDetails,
      "abilities": JSONTree.object(abilities.map { ($0.key.rawValue, json($0.value)) }),
      "hosts": entry.hosts.isEmpty ? nil : entry.hosts,
      "config": entry.config.isEmpty ? nil : entry.config,
      "secrets": entry.secrets.isEmpty ? nil : entry.secrets,
      "secretVariables": bound.isEmpty
        ? nil
        : JSONTree.object(
          bound.map { name, variables in (name, .array(variables.map { .string($0.name) })) }),
      "addedSecret": entry.addedSecret,
      "fields": entry.info.fields.isEmpty
        ? nil : JSONTree.object(entry.info.fields.map { ($0.name.rawValue, .string($0.type.rawValue)) }),
      "actions": entry.actions.isEmpty ? nil : JSONTree.array(entry.actions.map(\.json)),
      "path": entry.path, "reason": entry.reason,
    ])
  }

  private static func json(_ abilities: Abilities) -> JSONTree {
    JSONTree([
      "qualifiers": json(abilities.qualifiers), "sorts": abilities.sorts, "or": abilities.booleans,
      "needsToken": abilities.needsToken, "reachable": abilities.reachable,
    ])
  }

  /// How each qualifier is handled, in the order of their names.
  private static func json(_ qualifiers: [String: Pushdown]) -> JSONTree {
    .object(qualifiers.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value.rawValue)) })
  }

  static func sheet(_ entry: ProviderSummary) -> FactSheet {
    var sheet = FactSheet(title: "\(entry.info.id)  \(entry.info.name)")
    sheet.add("Enabled", entry.isEnabled ? "yes" : "no, \(entry.reason ?? "")")
    sheet.add("Problem", entry.problem?.message)
    sheet.add("Origin", entry.origin + (entry.isBundled ? ", part of the installation" : ""))
    sheet.add("Declared in", entry.path)
    sheet.add("Hosts", entry.hosts.joined(separator: ", "))
    sheet.add("Settings", entry.config.joined(separator: ", "))
    sheet.add("Secrets", entry.secrets.map { secret($0, of: entry) }.joined(separator: ", "))
    sheet.add(
      "Fields",
      entry.info.fields.map { "\($0.name.rawValue) (\($0.type.rawValue))" }.joined(separator: ", "))
    for action in entry.actions { sheet.add("Action", action.summary) }
    sheet.add("Weight", entry.weight == 1 ? nil : SearchRendering.fraction(entry.weight))
    let kinds = entry.kinds.sorted { $0.key.rawValue < $1.key.rawValue }
    for (kind, abilities) in kinds {
      let names = abilities.qualifiers.filter { $0.value != .unsupported }.sorted { $0.key < $1.key }
        .map { $0.key + ":" + ($0.value == .inexact ? " (narrows)" : "") }
      sheet.add(kind.rawValue, names.isEmpty ? "no qualifiers" : names.joined(separator: " "))
      sheet.add("Sorts by", abilities.sorts.joined(separator: ", "))
    }
    // What is alike of all kinds stands once.
    func having(_ property: (Abilities) -> Bool) -> String {
      kinds.filter { property($0.value) }.map(\.key.rawValue).joined(separator: ", ")
    }
    let feeds = kinds.compactMap { kind, abilities in
      abilities.feed.map { feed in
        kind.rawValue + (feed.sorts.isEmpty ? "" : " by " + feed.sorts.joined(separator: ", "))
      }
    }
    sheet.add("Feed", feeds.isEmpty ? "no" : feeds.joined(separator: "; "))
    let or = having(\.booleans)
    sheet.add("OR and ( )", or.isEmpty ? "no" : or == having { _ in true } ? "yes" : or)
    let token = having(\.needsToken)
    sheet.add("Token", token.isEmpty ? nil : "needed for \(token) (see: forage auth status)")
    let reaches = Set(kinds.compactMap(\.value.reachable)).sorted()
    sheet.add(
      "Reaches",
      reaches.map { count in "\(count) results of a query (\(having { $0.reachable == count }))" }
        .joined(separator: "; "))
    return sheet
  }
}

extension ProvidersCommand {
  /// A secret, the variables that it is from, and who sends it.
  private static func secret(_ name: String, of entry: ProviderSummary) -> String {
    let variables = entry.variables[name] ?? []
    var notes = variables.map { "from " + $0.name + ($0.isSet ? "" : ", which is not set") }
    if variables.isEmpty { notes = ["not bound in the settings"] }
    if name == entry.addedSecret { notes.append("added by Forage, not given to the plugin") }
    return "\(name) (\(notes.joined(separator: "; ")))"
  }
}

extension ProviderSummary {
  /// Reports on standard error what is wrong.
  fileprivate func reportProblem(_ output: Output) {
    if let problem { output.problem("\(info.id): " + problem.message, hint: problem.advice) }
  }
}

extension ProvidersCommand {
  struct List: ReportingCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "List the providers.", aliases: ["ls"])
    static let fields = DocumentFields(ProvidersCommand.fields, list: "providers")

    @OptionGroup var reporting: ReportOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> ExitStatus {
      let format = try reporting.format(context.output)
      let settings = try context.forage.settings()
      let output = context.output
      let registry = try context.forage.registry(settings, RequestOptions(everything: true))
      let entries = registry.entries.map { ProviderSummary($0, settings, context.forage) }
      try output.list(entries, named: "providers", as: format, document: ProvidersCommand.json) {
        let table = Table(
          columns: [
            .init(title: "ID", style: .title), .init(title: "NAME", style: nil),
            .init(title: "ENABLED", style: .source),
            .init(title: "ORIGIN", style: nil, dropOrder: 2),
            .init(title: "KINDS", style: nil, dropOrder: 1, isFlexible: true),
          ],
          rows: entries.map { entry in
            [
              entry.info.id, entry.info.name, entry.isEnabled ? "yes" : "no", entry.origin,
              entry.kinds.keys.map(\.rawValue).sorted().joined(separator: ","),
            ]
          })
        try output.result(table, format: format)
      }
      for entry in entries where entry.isEnabled || entry.isUntrusted { entry.reportProblem(output) }
      for absent in settings.absent {
        let problem = Settings.problem(ofAbsent: absent)
        output.warning(problem.message, hint: problem.advice)
      }
      return .success
    }
  }

  struct Show: ReportingCommand {
    static let configuration = CommandConfiguration(
      commandName: "show", abstract: "Show what a provider can do.")
    static let fields = DocumentFields(ProvidersCommand.fields)

    @OptionGroup var reporting: ReportOptions
    @OptionGroup var common: CommonOptions
    @Argument(help: ArgumentHelp("The id of a provider.", valueName: "id"), completion: Completion.provider)
    var id: String

    func run(in context: Context) async throws -> ExitStatus {
      let format = try reporting.format(context.output)
      let settings = try context.forage.settings()
      let registry = try context.forage.registry(settings, RequestOptions(everything: true))
      guard let provider = registry[id] else {
        throw ProviderChoice.unknown(id, registry, context.forage.knownIDs)
      }
      let entry = ProviderSummary(provider, settings, context.forage)
      try context.output.result(ProvidersCommand.json(entry), as: format) {
        try ProvidersCommand.sheet(entry).write(to: context.output, as: format)
      }
      entry.reportProblem(context.output)
      return .success
    }
  }
}

extension ProvidersCommand {
  struct Enable: Command {
    static let configuration = CommandConfiguration(
      commandName: "enable", abstract: "Include a provider in searches that name none.")

    @OptionGroup var common: CommonOptions
    @Argument(help: ArgumentHelp("The id of a provider.", valueName: "id"), completion: Completion.provider)
    var id: String

    func run(in context: Context) async throws -> ExitStatus {
      try ProvidersCommand.set(enabled: true, id, context)
    }
  }

  struct Disable: Command {
    static let configuration = CommandConfiguration(
      commandName: "disable", abstract: "Exclude a provider from searches that name none.")

    @OptionGroup var common: CommonOptions
    @Argument(help: ArgumentHelp("The id of a provider.", valueName: "id"), completion: Completion.provider)
    var id: String

    func run(in context: Context) async throws -> ExitStatus {
      try ProvidersCommand.set(enabled: false, id, context)
    }
  }

  /// Writes whether a provider is enabled, unless the settings decide.
  private static func set(enabled: Bool, _ id: String, _ context: Context) throws -> ExitStatus {
    let settings = try context.forage.settings()
    let registry = try context.forage.registry(settings, RequestOptions(everything: true))
    let found = context.forage.installed()
    guard registry[id] != nil else {
      let unknown = ProviderChoice.unknown(id, registry, found.ids)
      guard InstalledIDs.bundledManifests.contains(id), let missing = found.missingBundle else {
        throw unknown
      }
      throw ForageError("\(unknown.message): \(missing)", hint: Remedy.installManifest.advice)
    }
    let word = enabled ? "enabled" : "disabled"
    let place = settings.enabledPlaces[id]
    if let place, settings.providers[id]?.isEnabled != enabled {
      throw ForageError(
        "\(id) cannot be \(word) by a command: \(place) says enabled: \(!enabled)",
        hint: "change or remove this setting")
    }
    let changed = try EnabledProviders(beside: context.forage.paths.configFile).set(enabled, for: [id])
    if let place {
      context.output.message("\(id) is already \(word), in \(place)")
    } else {
      context.output.message("\(id) is \(changed.isEmpty ? "already" : "now") \(word)")
    }
    if enabled, let problem = (registry[id]?.provider as? UnusableProvider)?.error {
      context.output.problem("\(id): " + problem.message, hint: problem.advice)
    }
    return .success
  }
}
