import ArgumentParser
import Forage
import ForageCore
import ForageGit
import ForageLocal
import ForageStore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// `forage clone`: clones repositories with git.
struct CloneCommand: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "clone", _superCommandName: ForageCommand.name,
    abstract: "Clone repositories with git and add them to the catalogue.",
    discussion: """
      REF is owner/name, host/owner/name, a URL, the id of a result, or a number of the last list (3 5-7); - reads references from standard \
      input: one a line, in the first field of a row, or in JSON.

      Clones are placed in HOST/OWNER/NAME below clones.root in the settings (default ~/src). What is cloned already is left alone, so the same \
      command continues after an interruption. Git logs in with its own credential helpers.

      Settings: clones: {root: ~/src, protocol: https}. The protocol is https or ssh.

      Examples:
        forage clone apple/swift-nio
        forage search "topic:parser language:swift" -L 5 | forage clone -
        forage clone --owner apple --filter blob:none
        forage clone --stars --yes --depth 1

      Exit status: 0 all are there, 1 nothing to clone, 2 usage, 3 some failed, 4 all failed, 130 interrupted.
      """)

  @OptionGroup var reporting: ReportOptions

  @Argument(
    help: ArgumentHelp("Repositories, or - for standard input.", valueName: "ref"),
    completion: Completion.reference)
  var references: [String] = []

  @Flag(help: "Clone all repositories that you have starred.")
  var stars = false

  @Option(help: ArgumentHelp("Clone all repositories of an account.", valueName: "name"))
  var owner: String?

  @Flag(help: "Clone forks too, with --stars and --owner.")
  var forks = false

  @Flag(name: .shortAndLong, help: "Clone without asking, with --stars and --owner.")
  var yes = false

  @Option(help: ArgumentHelp("Clone only the last n commits.", valueName: "n"))
  var depth: String?

  @Option(help: ArgumentHelp("Omit objects, as git's --filter (for example blob:none).", valueName: "spec"))
  var filter: String?

  func run(in context: Context) async throws -> ExitStatus {
    let format = try reporting.format(context.output)
    let extent = try extent()
    let selection = try selection()
    let settings = try context.services.settings()
    // From here on the variables that hold tokens are known, and no child gets them.
    let program = try GitClone.program(context.services.environment)
    let wanted = try await wanted(selection, settings, context)
    guard !wanted.sources.isEmpty || wanted.failures > 0 else {
      context.output.problem("there is nothing to clone", hint: wanted.adviceForNothing)
      return .nothingFound
    }
    var made = MadeFolders()
    var catalogue: Catalogue?
    defer {
      made.removeEmpty()
      catalogue?.removeUnused()
      context.surroundings.interruption.removesFiles = false
    }
    let root = try Self.root(settings, context, &made)
    catalogue = try await Self.catalogue(root, context)
    PartialClone.removeAbandoned(below: root)
    var places = ClonePlaces(root: root, store: catalogue?.store)
    let plans = try await places.plans(for: wanted.sources)
    var missing = 0
    for case .missing(let path) in plans.map(\.plan) {
      missing += 1
      made.willMake(FileAccess.parent(of: path))
    }
    if let selection, missing > 0 {
      guard try isConfirmed(selection, wanted, plans, context) else { return .noAnswer }
    }
    let git = GitClone(
      program: program, environment: context.services.environmentWithoutTokens, extent: extent,
      isInteractive: missing == 1 && context.input.isTerminal && context.output.isMessageTerminal
    ) { [context] in context.services.trace($0) }
    let report = CloneReport(format: format, output: context.output, home: context.services.directories.home)
    let run = CloneRun(
      context: context, git: git, places: places, catalogue: catalogue, report: report,
      progress: CloneProgress(context.output, total: missing))
    context.surroundings.interruption.removesFiles = true
    let results = try await run.run(plans)
    try report.end(results)
    if Task.isCancelled {
      let done = results.count { $0.state == .cloned }
      context.output.problem(
        "interrupted; \(done) of \(HumanFormat.plural(missing, "repository", "repositories")) cloned",
        hint: "run the command again to clone the rest")
      return .interrupted
    }
    let failures = results.count { $0.state == .failed } + wanted.failures
    if failures == 0 { return wanted.isIncomplete ? .partial : .success }
    return results.contains { $0.state != .failed } ? .partial : .noAnswer
  }

  /// What the options say of how much of each repository is cloned.
  private func extent() throws -> GitClone.Extent {
    var extent = GitClone.Extent()
    extent.depth = try depth.map { try OptionValue.number($0, 1...Int(Int32.max), of: "--depth") }
    if let filter {
      guard !filter.isEmpty, filter.unicodeScalars.allSatisfy({ $0.value > 32 && $0.value != 127 }) else {
        throw ForageError("--filter takes a filter of git", hint: "for example: --filter blob:none")
      }
      extent.filter = filter
    }
    return extent
  }

  /// The repositories that `--stars` or `--owner` mean, `nil` for those of the arguments.
  private func selection() throws -> AccountRepositories.Selection? {
    let given = [
      references.isEmpty ? nil : "REF", stars ? "--stars" : nil, owner == nil ? nil : "--owner",
    ].compactMap(\.self)
    guard let first = given.first else {
      throw ForageError(
        "nothing was named to clone", hint: "for example: forage clone owner/name, or forage clone --stars")
    }
    guard given.count == 1 else {
      throw ForageError(
        "\(first) and \(given[1]) exclude each other", hint: "clone them one after the other")
    }
    return stars ? .stars : owner.map { .owner($0) }
  }

  /// What is to be cloned.
  private struct Wanted {
    var sources: [CloneSource]
    /// References that name no repository.
    var failures = 0
    /// Forks that are left out.
    var forks = 0
    /// Whether repositories could not be listed.
    var isIncomplete = false
    /// Kilobytes on the forge by id, where the forge reports it.
    var sizes: [String: Int] = [:]
    var adviceForNothing: String
  }

  private func wanted(
    _ selection: AccountRepositories.Selection?, _ settings: Settings, _ context: Context
  ) async throws -> Wanted {
    guard let selection else {
      let (sources, failures) = try await CloneReferences(context, settings).read(references)
      return Wanted(
        sources: sources, failures: failures, adviceForNothing: "write a repository on each line")
    }
    let found = try await AccountRepositories(context: context, settings: settings).list(
      selection, includesForks: forks)
    var wanted = Wanted(
      sources: [], forks: found.forks, isIncomplete: found.isIncomplete,
      adviceForNothing: found.forks > 0
        ? "clone \(HumanFormat.plural(found.forks, "fork")) with --forks" : selection.adviceForNothing)
    for item in found.repositories {
      guard let entity = EntityReference(item.id, defaultHost: "")?.repository else { continue }
      let spelling = item[.owner]?.text.flatMap { owner in item[.name]?.text.map { (owner: owner, name: $0) }
      }
      do {
        wanted.sources.append(
          try CloneSource(entity, spelling: spelling, settings.clones.transferProtocol))
        wanted.sizes[entity.id] = item[.sizeKB]?.number
      } catch let error as ForageError {
        wanted.failures += 1
        context.output.problem(error.message, hint: error.hint)
      }
    }
    return wanted
  }

  /// Shows how many repositories are to be cloned and how big they are, and asks.
  ///
  /// - Throws: `ForageError` where standard input is no terminal and `--yes` is not given.
  private func isConfirmed(
    _ selection: AccountRepositories.Selection, _ wanted: Wanted,
    _ plans: [(source: CloneSource, plan: ClonePlaces.Plan)], _ context: Context
  ) throws -> Bool {
    let missing = plans.compactMap { source, plan in
      if case .missing = plan { source } else { nil }
    }
    let sizes = missing.compactMap { wanted.sizes[$0.id] }
    // A size from outside can be any number.
    let kilobytes = sizes.reduce(0) { sum, size in
      let (total, overflow) = sum.addingReportingOverflow(max(0, size))
      return overflow ? .max >> 10 : min(total, .max >> 10)
    }
    let isWhole = sizes.count == missing.count
    var text =
      "\(HumanFormat.grouped(missing.count)) of \(HumanFormat.grouped(plans.count)) \(selection.words) to clone"
      + ", \(isWhole ? "about" : "at least") \(HumanFormat.bytes(kilobytes << 10))"
    let present = plans.count { if case .present = $0.plan { true } else { false } }
    if present > 0 { text += "; \(HumanFormat.grouped(present)) cloned already" }
    if wanted.forks > 0 {
      text += "; \(HumanFormat.plural(wanted.forks, "fork")) left out (add them with --forks)"
    }
    context.output.message(text)
    if yes { return true }
    guard context.input.isTerminal else {
      throw ForageError(
        "cloning all of them needs a confirmation, and standard input is not a terminal; nothing was cloned",
        hint: "add --yes")
    }
    guard Question.isAgreed("Clone them?", context.output, context.input) else {
      context.output.message("nothing was cloned")
      return false
    }
    return true
  }

  /// The folder below which clones are placed, made where it does not exist, without links.
  static func root(_ settings: Settings, _ context: Context, _ made: inout MadeFolders) throws
    -> String
  {
    let named = settings.clones.root
    let path = named.hasPrefix("~") ? context.services.directories.home + named.dropFirst() : named
    made.willMake(path)
    let hint = "set clones.root to another folder in \(context.services.directories.configFile)"
    do {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    } catch {
      throw ForageError(
        "the folder for clones, \(path), cannot be made", hint: "check its permissions, or \(hint)")
    }
    guard path.hasPrefix("/"), let root = FileAccess.realPath(path), root != "/" else {
      throw ForageError("\(path) cannot be the folder for clones", hint: hint)
    }
    guard !CloneProbe.isClone(root) else {
      throw ForageError("the folder for clones, \(root), is a clone itself", hint: hint)
    }
    return root
  }

  /// The catalogue, and the registered folder that the root belongs to.
  struct Catalogue {
    let folder: String
    let store: Store
    /// Whether this run has registered the folder.
    let isNew: Bool

    /// Adds a clone below the folder.
    func add(_ path: String) async throws {
      try await CloneCatalogue(store: store).add(path, folder: folder)
    }

    /// Removes a folder from the catalogue that this run has registered and that is gone again.
    func removeUnused() {
      guard isNew, !FileAccess.isDirectory(folder) else { return }
      _ = try? store.removeCloneFolder(folder)
    }
  }

  /// The catalogue, brought up to date; `nil` where it cannot be used.
  static func catalogue(_ root: String, _ context: Context) async throws -> Catalogue? {
    let preparation = ClonePreparation(context.services)
    try await preparation.scanWhatIsNew()
    do {
      let store = try context.services.store.writable()
      let (folder, isNew) = try await preparation.register(root, store)
      return Catalogue(folder: folder, store: store, isNew: isNew)
    } catch let error as StoreError {
      context.services.warnOnce("clones cannot be added to the catalogue: " + error.message, hint: error.hint)
      return nil
    }
  }
}
