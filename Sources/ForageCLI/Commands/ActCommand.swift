import ArgumentParser
import Forage
import ForageCore
import ForagePlatform

/// `forage act`: runs an action of the settings or of a plugin on results.
struct ActCommand: Command {
  static let configuration = CommandConfiguration(
    commandName: "act", _superCommandName: ForageCommand.name,
    abstract: "Run an action of settings or plugins on results.",
    discussion: """
      Without a name it lists the actions. An action is a program with values of the result as arguments, without a shell:

        actions:
          - {name: checkout, key: C, title: check out, kinds: [pr], run: [gh, pr, checkout, "{number}", -R, "{repository}"], in: clone}

      {id} {kind} {title} {url} {repository} {owner} {number} {clone} and any field stand for values of the result. key runs it in browse. \
      Actions of plugins are there once you trust the plugin.

      Exit status: 0 all ran, 2 usage, or one cannot run or failed.
      """)

  @Argument(help: ArgumentHelp("The name of an action.", valueName: "name"))
  var name: String?

  @Argument(help: .references, completion: Completion.place)
  var references: [String] = []

  @OptionGroup var common: CommonOptions

  func run(in context: Context) async throws -> ExitStatus {
    let actions = try context.forage.actions()
    guard let name else {
      try list(actions, context.output)
      if actions.isEmpty {
        context.output.problem(
          "there are no actions", hint: "add them in config.yaml; see: forage act --help")
      }
      return actions.isEmpty ? .nothingFound : .success
    }
    let named = actions.filter { $0.name == name || $0.fullName == name }
    guard !named.isEmpty else {
      throw ForageError(
        "there is no action \"\(name)\"",
        hint: NearestName.hint(for: name, among: actions.flatMap { [$0.name, $0.fullName] })
          ?? "list them with: forage act; a plugin that was changed has to be trusted again, see: forage plugin list"
      )
    }
    guard !references.isEmpty else {
      throw ForageError("\(name) is run on nothing", hint: "name a result: forage act \(name) REF")
    }
    let lookup = try EntityLookup(context.forage, lastList: context.lastList)
    for reference in try await context.references().references(references) {
      let result = try await result(reference, lookup, context)
      guard let action = named.first(where: { $0.takes(result) }) else {
        let title = result.title.isEmpty ? result.id : result.title
        throw ForageError("\(name) does not take \(title)", hint: "list the actions with: forage act")
      }
      context.output.message(try await ActionRunner(context).run(action, on: result))
    }
    return .success
  }

  private func list(_ actions: [ResultAction], _ output: Output) throws {
    guard !actions.isEmpty else { return }
    let table = Table(
      columns: [
        .init(title: "NAME", style: .title), .init(title: "KEY", style: nil),
        .init(title: "KINDS", style: nil, dropOrder: 3), .init(title: "OF", style: .source, dropOrder: 2),
        .init(title: "DOES", style: nil, dropOrder: 4), .init(title: "RUNS", style: nil, isFlexible: true),
      ],
      rows: actions.map { action in
        [
          action.name, action.key.map(String.init) ?? "", action.kinds.sorted().joined(separator: ","),
          action.plugin ?? "settings", action.title == action.name ? "" : action.title,
          action.commandLine,
        ]
      })
    try output.result(table, format: output.isTerminal ? .table : .tsv)
  }

  /// The result of a reference; an entity that no list has is looked up.
  private func result(_ reference: ResolvedReference, _ lookup: EntityLookup, _ context: Context) async throws
    -> SearchResult
  {
    if let result = reference.result { return result }
    if let listed = context.lastList()?.items.first(where: { $0.id == reference.id }) { return listed }
    let target = try await lookup.target(reference.text)
    let answer = try await lookup.answer(target, sections: [], within: SearchOptions.defaultTimeout)
    if let item = answer.item { return item }
    // Nobody has told its title.
    return SearchResult(id: reference.id, kind: reference.kind, title: "", url: reference.url)
  }
}
