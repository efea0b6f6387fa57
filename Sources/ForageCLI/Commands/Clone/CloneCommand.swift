import ArgumentParser
import Forage
import ForageCore
import ForagePlatform

/// `forage clone`: clones repositories with git.
struct CloneCommand: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "clone", _superCommandName: ForageCommand.name,
    abstract: "Clone repositories, and add them to the catalogue.",
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

  @Argument(
    help: ArgumentHelp("Repositories, or - for standard input.", valueName: "ref"),
    completion: Completion.reference)
  var references: [String] = []

  @Flag(help: "Clone all repositories that you have starred.")
  var stars = false

  @Option(help: ArgumentHelp("Clone all repositories of an account (NAME or HOST/NAME).", valueName: "name"))
  var owner: String?

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("Ask the forge of this provider, with --owner or --stars.", valueName: "id"),
    completion: Completion.forge)
  var provider: String?

  @Flag(help: "Clone forks too, with --stars and --owner.")
  var forks = false

  @Flag(name: .shortAndLong, help: "Clone without asking, with --stars and --owner.")
  var yes = false

  @Option(help: ArgumentHelp("Clone only the last n commits.", valueName: "n"))
  var depth: String?

  @Option(help: ArgumentHelp("Omit objects, as git's --filter (for example blob:none).", valueName: "spec"))
  var filter: String?

  @OptionGroup var reporting: ReportOptions
  @OptionGroup var common: CommonOptions

  static let fields = DocumentFields(["id", "path", "state", "error"], list: "clones")

  func run(in context: Context) async throws -> ExitStatus {
    let context = context.withoutReader
    let format = try reporting.format(context.output)
    let extent = try extent()
    try checkReferences(context)
    let selection = try selection()
    let cloning = try Cloning(
      context.forage, extent, isInteractive: context.input.isTerminal && context.output.isMessageTerminal)
    let wanted = try await wanted(selection, cloning, context)
    guard !wanted.sources.isEmpty || wanted.failures > 0 else {
      context.output.problem("there is nothing to clone", hint: wanted.adviceForNothing)
      return .nothingFound
    }
    let report = CloneReport(format: format, context: context)
    let progress = WorkProgress("cloning", context.output)
    var missing = 0
    defer {
      progress.finish()
      context.process.interruption.removesFiles = false
    }
    let results = try await cloning.run(wanted.sources) { plans in
      missing = plans.count { $0.plan.isMissing }
      if let selection, missing > 0, try !isConfirmed(selection, wanted, plans, context) { return false }
      progress.start(total: missing)
      context.process.interruption.waitsForWork()
      return true
    } started: { source, lastLine in
      progress.begin(source.title, lastLine: lastLine)
    } ended: { result in
      progress.end(result.source.title)
      try report.write(result)
    }
    progress.finish()
    guard let results else { return .failed }
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
    return results.contains { $0.state != .failed } ? .partial : .failed
  }

  /// What the options say of how much of each repository is cloned.
  private func extent() throws -> CloneExtent {
    var extent = CloneExtent()
    extent.depth = try depth.map { try OptionValue.number($0, 1...Int(Int32.max), of: "--depth") }
    if let filter {
      guard !filter.isEmpty, filter.unicodeScalars.allSatisfy({ $0.value > 32 && $0.value != 127 }) else {
        throw ForageError("--filter takes a filter of git", hint: "for example: --filter blob:none")
      }
      extent.filter = filter
    }
    return extent
  }

  /// Checks for arguments that git's own command takes in these places.
  ///
  /// - Throws: `ForageError` for an option behind `--`, and for a folder to clone into.
  private func checkReferences(_ context: Context) throws {
    if let option = references.first(where: { $0.hasPrefix("-") && $0 != "-" }) {
      throw ForageError("\"\(option)\" is not the name of a repository", hint: "write \(option) before --")
    }
    let home = context.forage.paths.home
    guard references.count > 1, let last = references.last,
      let path = ReferencePath.written(last, home: home), !ReferencePath.isInClone(path)
    else { return }
    throw ForageError(
      "clone takes no folder, and \(last) is not a clone",
      hint: "leave it out: clones are placed below clones.root in the settings (see: forage clone --help)")
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
    guard let owner else {
      guard stars || provider == nil else {
        throw ForageError(
          "--provider needs --owner or --stars", hint: "for example: --owner team --provider gitlab")
      }
      return stars ? .stars(provider: provider) : nil
    }
    let isName =
      !owner.isEmpty && !owner.contains { $0.isWhitespace || $0 == "\"" }
      && (owner.contains("/") || !owner.contains(":"))
    guard isName, !owner.hasPrefix("-") else {
      throw ForageError(
        "--owner takes the name of an account, not \"\(owner)\"",
        hint: "for example: --owner octocat, or --owner gitlab.com/group")
    }
    return .owner(owner, provider: provider)
  }

  private struct Wanted {
    var sources: [CloneSource]
    /// References that name no repository.
    var failures = 0
    /// Forks that are left out.
    var forks = 0
    /// Whether repositories could not be listed.
    var isIncomplete = false
    /// Bytes on the forge by id, where the forge reports it.
    var sizes: [String: Int] = [:]
    var adviceForNothing: String
  }

  private func wanted(
    _ selection: AccountRepositories.Selection?, _ cloning: Cloning, _ context: Context
  ) async throws -> Wanted {
    guard let selection else {
      let (sources, failures) = try await CloneReferences(context, cloning).read(references)
      return Wanted(
        sources: sources, failures: failures, adviceForNothing: "write a repository on each line")
    }
    let found = try await AccountRepositories.list(
      selection, includesForks: forks, context.forage)
    for (provider, error) in found.problems {
      context.output.warning("\(provider): \(error.message)", hint: error.advice)
    }
    if found.isIncomplete {
      context.output.warning(
        "the list of \(selection.words) is not complete", hint: "run the command again to clone the rest")
    }
    var wanted = Wanted(
      sources: [], forks: found.forks, isIncomplete: found.isIncomplete,
      adviceForNothing: found.forks > 0
        ? "clone \(HumanFormat.plural(found.forks, "fork")) with --forks"
        : !found.obstacles.isEmpty
          ? "there is nothing in the repositories that are left out"
          : stars ? "star a repository with: forage star owner/name" : "check the name of the account")
    for (reason, count) in found.obstacles.sorted(by: { $0.key < $1.key }) {
      context.output.message("\(HumanFormat.plural(count, "repository", "repositories")) left out: \(reason)")
    }
    for item in found.items {
      guard let entity = EntityReference(item.id, defaultHost: "")?.repository else {
        wanted.failures += 1
        context.output.problem(
          "\(item.title) cannot be cloned: its address has no owner",
          hint: "clone it with git" + (item.url.map { ": \($0)" } ?? ""))
        continue
      }
      do {
        wanted.sources.append(try cloning.source(item, naming: entity, isOfForge: true))
        wanted.sizes[entity.id] = item.sizeBytes
      } catch let error as ForageError {
        wanted.failures += 1
        context.output.problem(error.message, hint: error.advice)
      }
    }
    return wanted
  }

  /// Shows how many repositories are to be cloned and how big they are, and asks.
  ///
  /// - Throws: `ForageError` where standard input is no terminal and `--yes` is not given.
  private func isConfirmed(
    _ selection: AccountRepositories.Selection, _ wanted: Wanted,
    _ plans: [(source: CloneSource, plan: ClonePlanner.Plan)], _ context: Context
  ) throws -> Bool {
    let missing = plans.filter(\.plan.isMissing)
    let sizes = missing.compactMap { wanted.sizes[$0.source.id] }
    let bytes = sizes.reduce(0) { $0 + Count(nearest: $1) }
    let isWhole = sizes.count == missing.count
    var text =
      "\(HumanFormat.grouped(missing.count)) of \(HumanFormat.grouped(plans.count)) \(selection.words) to clone"
    if bytes > 0 { text += ", \(isWhole ? "about" : "at least") \(HumanFormat.bytes(bytes.value))" }
    let present = plans.count { if case .present = $0.plan { true } else { false } }
    if present > 0 { text += "; \(HumanFormat.grouped(present)) cloned already" }
    if wanted.forks > 0 {
      text += "; \(HumanFormat.plural(wanted.forks, "fork")) left out (add them with --forks)"
    }
    context.output.message(text)
    let isAgreed = try yes || Question.isAgreed("Clone them?", "cloning all of them", "cloned", context)
    if !isAgreed { context.output.message("nothing was cloned") }
    return isAgreed
  }

}

/// Reads the references of `forage clone`.
struct CloneReferences {
  private let context: Context
  private let reader: ReferenceReader
  private let cloning: Cloning

  init(_ context: Context, _ cloning: Cloning) throws {
    self.context = context
    self.cloning = cloning
    var reader = try context.references()
    // A file names the repository that it is in.
    reader.files = .places
    reader.expected = "owner/name, host/owner/name, a URL, the id of a result, or a number of the last list"
    self.reader = reader
  }

  /// The repositories that arguments and, for `-`, the lines of standard input name, each once.
  ///
  /// A line that names none is reported and stops no other.
  ///
  /// - Returns: The repositories, and how many lines named none.
  /// - Throws: `ForageError` for an argument that names no repository.
  func read(_ arguments: [String]) async throws -> (sources: [CloneSource], failures: Int) {
    var (sources, failures, seen) = ([CloneSource](), 0, Set<String>())
    for argument in arguments {
      guard argument == "-" else {
        for source in try await cloning.sources(argument, reader) where seen.insert(source.id).inserted {
          sources.append(source)
        }
        continue
      }
      let hosts = try hosts()
      var number = 0
      while let line = context.input.readLine() {
        number += 1
        try Task.checkCancellation()
        do {
          for text in try Self.references(inLine: line, hosts) {
            for source in try await cloning.sources(text, reader) where seen.insert(source.id).inserted {
              sources.append(source)
            }
          }
        } catch let error as ForageError where error.code != .interrupted {
          failures += 1
          context.output.problem("line \(number): \(error.message)", hint: error.advice)
        }
      }
    }
    return (sources, failures)
  }

  /// The hosts with repositories: those of forges and of all other providers that have them.
  private func hosts() throws -> Set<String> {
    let forage = context.forage
    let registry = try forage.registry(try forage.settings(), RequestOptions(everything: true))
    let entries = registry.entries.filter { $0.kinds[.repo] != nil }
    return Set(entries.flatMap(\.info.hosts)).union(forage.twoLevelHosts)
  }

  /// The references in a line of a list: its only text, the first field of a row with tabs, or the addresses
  /// in a JSON document.
  ///
  /// A row of a search names a repository by owner and name alone; its address, where there is one, names the
  /// forge too.
  ///
  /// - Parameters:
  ///   - hosts: Those with repositories: pages of other sites are none.
  ///   - prefersPaths: Whether the path in a document counts before the addresses, so that it names one clone
  ///     of several.
  /// - Returns: Nothing for a line without one, for example the summary after a list in JSON.
  /// - Throws: `ForageError` for JSON that is incomplete or names nothing.
  static func references(inLine line: String, _ hosts: Set<String>, prefersPaths: Bool = false) throws
    -> [String]
  {
    let line = line.trimmingWhitespace()
    if line.hasPrefix("{") || line.hasPrefix("[") {
      guard let document = try? JSONTree(parsing: Array(line.utf8)) else {
        throw ForageError(
          "not a name, and not a complete JSON document", hint: "write each document on one line")
      }
      return try references(in: document, hosts, prefersPaths)
    }
    var fields = line.split(separator: "\t", omittingEmptySubsequences: false).map { $0.trimmingWhitespace() }
    // A list of several kinds begins its rows with them.
    if fields.count == KindRendering.mixed.fields.count,
      ResultKind.known.contains(where: { $0.rawValue == fields[0] })
    {
      fields.removeFirst()
    }
    guard let first = fields.first, !first.isEmpty else { return [] }
    let address = fields.dropFirst().first { field in
      guard let known = RepositoryIdentity.canonical(field), field.hasPrefix("https://") else { return false }
      let (name, wanted) = (known.lowercased(), first.lowercased())
      return name == wanted || name.drop { $0 != "/" } == "/" + wanted
    }
    if let address { return [address] }
    let named = EntityReference(first, defaultHost: BuiltInProvider.usualHost)
    if named?.subject != .repository, let page = fields.dropLast().dropFirst().last, isPage(page, hosts) {
      // Of other kinds it is that of something in the repository, before the providers at the end.
      return [page]
    }
    return [first]
  }

  /// Whether a text is the address of a repository, or of something in it, on one of the hosts.
  private static func isPage(_ text: String, _ hosts: Set<String>) -> Bool {
    guard text.hasPrefix("https://"), let entity = EntityReference(text, defaultHost: "") else {
      return false
    }
    return entity.repositoryID != nil && hosts.contains(entity.host)
  }

  /// The members of documents that hold lists.
  private static let lists = ["items", "favorites", "clones"]

  private static func references(in document: JSONTree, _ hosts: Set<String>, _ prefersPaths: Bool) throws
    -> [String]
  {
    if let elements = document.array ?? lists.lazy.compactMap({ document[$0]?.array }).first {
      return try elements.flatMap { try references(in: $0, hosts, prefersPaths) }
    }
    if prefersPaths, let path = document["path"]?.string { return [path] }
    let (url, id) = (document["url"]?.string, document["id"]?.string)
    if let url, id == nil || isPage(url, hosts) { return [url] }
    if let name = document.string ?? id { return [name] }
    guard document["summary"] != nil else {
      throw ForageError(
        "a JSON object without \(prefersPaths ? "\"path\", " : "")\"url\" and \"id\"",
        hint: "for example: --json \(prefersPaths ? "path" : "url")")
    }
    return []
  }
}
