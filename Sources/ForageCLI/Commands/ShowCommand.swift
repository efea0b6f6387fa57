import ArgumentParser
import Forage
import ForageCore
import ForageGit
import ForageGitHub
import ForageInspector
import ForageLocal
import ForageStore

/// `forage show`: shows everything known about one entity, remote and local, in one record.
struct ShowCommand: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", _superCommandName: ForageCommand.name,
    abstract:
      "Show all facts about a repository, issue, commit or account.",
    discussion: """
      \(ReferenceReader.help)
      """
  )

  @OptionGroup var reporting: ReportOptions

  @Argument(
    help: ArgumentHelp("A repository, issue, commit, account or path.", valueName: "ref"),
    completion: Completion.reference)
  var reference: String

  @Option(
    name: .shortAndLong, help: ArgumentHelp("Ask only these providers.", valueName: "id"),
    completion: Completion.providers)
  var provider: [String] = []

  @Option(
    help: ArgumentHelp("Stop waiting after this time; decimals allowed. (default 10)", valueName: "seconds"))
  var timeout: String?

  @Option(
    help: ArgumentHelp(
      "Show the last n comments of an issue. (1 to \(ShowCommand.maximumComments), default 0)",
      valueName: "n"))
  var comments: String?

  @Flag(help: "Send nothing; use cached answers up to a day old.")
  var offline = false

  @Flag(help: "Bypass the cache.")
  var noCache = false

  @Flag(name: .shortAndLong, help: "Open its page in the browser, without a request.")
  var web = false

  /// What one request returns.
  static let maximumComments = 100

  /// The entity that the reference names.
  private struct Target {
    /// What the command line names.
    var reference: ResolvedReference
    /// The entity on a forge, where there is one.
    var entity: EntityReference?
    /// The folders of its clones.
    var clones: [String]
    /// The record of its clone in the catalogue.
    var known: SearchResult?
  }

  func run(in context: Context) async throws -> ExitStatus {
    let (format, output) = try reporting.page(context.output)
    let timeout = try TimeLimit.duration(timeout)
    let settings = try context.services.settings()
    let asking = Asking(
      cache: try CacheChoice.use(offline: offline, noCache: noCache).mode,
      named: ProviderChoice.ids(provider))
    let registry = try context.services.registry(settings, asking)
    let choice = try ProviderChoice(names: provider, registry: registry) { context.services.isEnabled($0, settings) }
    let target = try await target(choice.registry, settings, context)
    if web {
      try await WebPages(context).open([target.reference])
      return .success
    }
    async let inspected = inspect(
      choice.registry["local"] == nil ? nil : target.clones.first,
      format.hasEnvelope || format == .tsv ? InspectionSection.standard : ShowRendering.localSections,
      memory: noCache ? nil : InspectionCache.memory(context.services.directories.cacheFolder), within: timeout,
      context)
    var remote = FederatedDetails()
    if let entity = target.entity {
      let asked = choice.registry.providers.map(\.descriptor).filter { $0.hosts.contains(entity.host) }
      remote = await context.services.waiting(for: asked.map(\.id).joined(separator: ", ")) {
        await Federation(choice.registry).details(of: entity, timeout: timeout, isFull: true)
      }
    }
    try Task.checkCancellation()
    let local = await inspected
    let report = try? local?.get()
    let hasResults = remote.item != nil || target.known != nil || report != nil
    reportMissing(remote, local, hasResults: hasResults, output)
    var item = remote.item ?? target.known ?? report.map { Self.item($0, target.reference) }
    var clones = target.clones
    if let id = remote.item?.id, id != target.entity?.id {
      // The repository was renamed; its clones may have either name.
      clones += known(id, context).map(\.path).filter { !clones.contains($0) }
    }
    item?.addClones(clones)
    let ids = [item?.id, target.entity?.id].compactMap(\.self)
    if !clones.isEmpty {
      item?.addRelatives(lookedUp(context) { store throws(StoreError) in try store.relatives(of: ids) } ?? [])
    }
    guard var item else { return try nothing(target, remote.outcomes) }
    if let wanted = try comments.map({
      try OptionValue.number($0, 0...Self.maximumComments, of: "--comments")
    }) {
      await addComments(wanted, to: &item, of: target.entity, settings, within: timeout, context)
    }
    // Clones of repositories were looked up in the same store.
    let annotation = ResultAnnotation(context.services, isQuiet: target.entity?.subject == .repository)
    annotation.annotate(&item)
    let record = ShowRendering(
      item: item, report: report, outcomes: remote.outcomes, missing: remote.missing)
    let isPage = !format.hasEnvelope && format != .tsv
    try await context.paged(on: output, byDefault: isPage) {
      try record.write(format, to: $0, PageStyle($0, context.services.environment))
    }
    if let shown = remote.item { annotation.remember([shown]) }
    let isMissing = remote.outcomes.contains { choice.named.contains($0.id) && $0.state.isFailure }
    return isMissing ? .partial : .success
  }

  /// Adds the last comments of an issue; a failure is a warning.
  private func addComments(
    _ count: Int, to item: inout SearchResult, of entity: EntityReference?, _ settings: Settings,
    within timeout: Duration, _ context: Context
  ) async {
    guard count > 0, let entity, case .issue(let number) = entity.subject,
      let total = item[.comments]?.number,
      let forge = context.services.instances.first(where: {
        (try? $0.host.get())?.entityHosts.contains(entity.host) == true
      })
    else { return }
    do {
      item["recentComments"] = .items(
        try await context.services.client(forge).lastComments(
          of: entity, number: number, count: count, total: total, deadline: .now + timeout))
    } catch let error as SearchError {
      context.output.warning("\(forge.id): comments: \(error.message)", hint: error.hint)
    } catch {
      context.output.warning("\(forge.id): comments could not be read", hint: "run it again")
    }
  }

  /// Prints what is missing: as warnings where there are results, else as errors.
  private func reportMissing(
    _ remote: FederatedDetails, _ local: Result<InspectionReport, GitError>?, hasResults: Bool,
    _ output: Output
  ) {
    func report(_ message: String, hint: String) {
      if hasResults { output.warning(message, hint: hint) } else { output.problem(message, hint: hint) }
    }
    if case .failure(let error) = local { report(error.message, hint: error.hint) }
    for outcome in remote.outcomes where outcome.state != .partial && !outcome.state.isExcluded {
      if let error = outcome.error { report("\(outcome.id): " + error.message, hint: error.hint) }
    }
    for (provider, part) in remote.missing {
      report("\(provider): \(part.field.rawValue): " + part.error.message, hint: part.error.hint)
    }
  }

  private func inspect(
    _ path: String?, _ sections: Set<InspectionSection>, memory: InspectionMemory?, within limit: Duration,
    _ context: Context
  ) async -> Result<InspectionReport, GitError>? {
    guard let path else { return nil }
    let wait = context.waits.begin(path)
    defer { context.waits.end(wait) }
    return await withTaskGroup(of: Result<InspectionReport, GitError>?.self) { group in
      group.addTask { await InspectedClone.of(path, sections, memory: memory).outcome }
      group.addTask {
        try? await Task.sleep(for: limit)
        return .failure(
          GitError(
            .cancelled, "the inspection of \(path) did not end in time",
            hint: "allow more time with --timeout SECONDS"))
      }
      defer { group.cancelAll() }
      return await group.next() ?? nil
    }
  }

  private func nothing(_ target: Target, _ outcomes: [ProviderOutcome]) throws -> ExitStatus {
    let name = target.entity?.id ?? reference
    if outcomes.isEmpty {
      throw CommandError(
        "no provider covers \(target.entity?.host ?? name), and there is no clone of it",
        hint: "see: forage providers",
        code: .noAnswer)
    }
    if outcomes.contains(where: \.state.isAnswer), !outcomes.contains(where: \.state.isFailure) {
      throw CommandError(
        "\(name) does not exist, or is private and not visible to you",
        hint: ReferencePath.exists(reference)
          ? "to show the folder, write ./\(reference)"
          : "check the name; for a private one set a token (see: forage auth status)",
        code: .nothingFound
      )
    }
    throw CommandError(
      "no provider answered", hint: "see the messages above, or run: forage doctor",
      code: outcomes.isMisconfigured ? .usage : .noAnswer)
  }

  private func target(_ registry: ProviderRegistry, _ settings: Settings, _ context: Context) async throws
    -> Target
  {
    let host = registry.providers.lazy.compactMap(\.descriptor.hosts.first).first ?? "github.com"
    let named = try await context.references(defaultHost: host).reference(reference)
    // What was found in a clone is on this disk and needs no request.
    if registry["local"] != nil, let file = named.file {
      return Target(reference: named, entity: nil, clones: [], known: file)
    }
    // Of a result of the last list the folder may be gone meanwhile.
    let clones = [named.path].compactMap(\.self).filter(FileAccess.isDirectory)
    guard let entity = named.entity else {
      return Target(
        reference: named, entity: nil, clones: clones, known: clones.isEmpty ? named.result : nil)
    }
    return target(named, entity: entity, clones: clones, context)
  }

  /// The clones of an entity that are in the catalogue.
  private func known(_ id: String, _ context: Context) -> [CloneRecord] {
    lookedUp(context) { store throws(StoreError) in try store.clones(ofEntity: id) } ?? []
  }

  /// The result of a query of the store; a failure prints a warning once.
  private func lookedUp<Found>(
    _ context: Context, _ body: (Store) throws(StoreError) -> Found
  ) -> Found? {
    do throws(StoreError) {
      guard let store = try context.services.store.existing() else { return nil }
      return try body(store)
    } catch {
      context.services.warnOnce("clones could not be looked up: " + error.message, hint: error.hint)
      return nil
    }
  }

  private func target(
    _ reference: ResolvedReference, entity: EntityReference, clones: [String], _ context: Context
  ) -> Target {
    guard entity.subject == .repository else {
      let isInClone = reference.result?[.file] != nil
      return Target(
        reference: reference, entity: entity, clones: [], known: isInClone ? reference.result : nil)
    }
    let known = known(entity.id, context)
    let others = known.map(\.path).filter { !clones.contains($0) }
    return Target(
      reference: reference, entity: entity, clones: clones + others, known: known.first?.result)
  }

  /// The entity as a report alone describes it.
  private static func item(_ report: InspectionReport, _ reference: ResolvedReference) -> SearchResult {
    var item =
      reference.result
      ?? SearchResult(id: reference.id, kind: .repo, title: reference.title, url: reference.url)
    if let entity = reference.entity, reference.result == nil {
      item.set(.host, entity.host)
      item.set(.owner, entity.owner)
      item.set(.name, entity.name)
    }
    item.set(.language, report.languages?.first?.name)
    item.set(.license, report.licenses?.lazy.compactMap(\.spdx).first)
    item.set(.path, report.path)
    return item
  }
}

extension SearchResult {
  /// Adds the entities that have the same first commit. A fork shares it with its whole network, so that a fork gets none.
  fileprivate mutating func addRelatives(_ ids: [String]) {
    guard self[.fork]?.flag != true else { return }
    let known = Set(related.map(\.id))
    related += ids.filter { !known.contains($0) }.map { RelatedEntity(id: $0, why: .sameHistory) }
  }
}
