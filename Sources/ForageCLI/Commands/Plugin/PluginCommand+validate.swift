import ArgumentParser
import Forage
import ForageCore
import ForageTesting

extension PluginCommand {
  struct Validate: Command {
    static let configuration = CommandConfiguration(
      commandName: "validate",
      abstract: "Check a plugin or manifest against the contract for providers.",
      discussion: """
        The description is read strictly, then the provider is run against the compliance suite, which sends it a few dozen requests. The plugin \
        is started for this, trusted or not. Prints how many checks passed, and then only what failed or was not checked; with --verbose all \
        checks. With a secret a forge is asked for its account and stars, and changes nothing. With --word and --qualifier more can be checked. Exit status: 0 it complies, or its server cannot be reached and its description is valid; 2 it does not comply.
        """)

    /// Words that most catalogues of code have results for.
    private static let usualWords = ["http", "json", "test", "a"]
    private static let fieldHint =
      "send the field in the form that the protocol gives, or leave it out; see: forage plugin guide protocol"

    @Argument(
      help: ArgumentHelp(
        "A plugin's folder, a manifest, or an installed id.", valueName: "path"),
      completion: .file())
    var path: String
    @Option(
      name: .shortAndLong,
      help: ArgumentHelp(
        "Search for a word with many results (repeatable, best first).", valueName: "word"))
    var word: [String] = []
    @Option(
      name: .shortAndLong,
      help: ArgumentHelp(
        "Use a qualifier that some of these results meet (repeatable).", valueName: "name:value")
    )
    var qualifier: [String] = []
    @Flag(help: "Read the description only; start and request nothing.")
    var offline = false
    @Flag(help: "Write into plugin.json what a compiled plugin declares.")
    var rewrite = false
    @Flag(name: .shortAndLong, help: "Allow it to get your secrets without asking.")
    var yes = false

    @OptionGroup var common: CommonOptions

    func configure(_ setup: inout ForageSetup) {
      setup.pluginPaths = [PluginSource.onlyManifest(in: path) ?? path]
      // Nothing is sent without a search.
      setup.assumesYes = yes || offline
    }

    func run(in context: Context) async throws -> ExitStatus {
      let output = context.output
      let trial = try PluginTrial(context.forage, path: path)
      if !offline, let declaration = await trial.declaration() { try apply(declaration, context) }
      let providers = try trial.providers()
      func reportDescription() throws { try output.result("\(path): the description is valid") }
      let faults = trial.actionFaults
      for fault in faults { output.problem("\(path): \(fault.message)", hint: fault.hint) }
      var isFine = !faults.contains(where: \.isError)
      if offline {
        if isFine { try reportDescription() }
        return isFine ? .success : .usage
      }
      var reports: [ComplianceReport] = []
      for provider in providers {
        if let error = (provider as? UnusableProvider)?.error {
          output.problem("\(provider.info.id): \(error.message)", hint: error.advice)
          isFine = false
          continue
        }
        do {
          let failure = try await context.forage.reporter.waiting(for: provider.info.id) {
            try await PluginTrial.start(provider)
            return await unreachable(provider, output)
          }
          if let failure {
            output.problem(
              "\(provider.info.id) was not tested: \(failure.message)",
              hint: "only its description is valid; \(failure.advice(hasTimeLimit: false))")
            continue
          }
        } catch let error as SearchError {
          output.problem("\(provider.info.id): \(error.message)", hint: error.advice)
          isFine = false
          continue
        }
        reports += await context.forage.reporter.waiting(for: provider.info.id) {
          [await report(on: provider, of: trial)]
        }
        // A live API may have odd rows, and they are left out; the report decides whether they are too many.
        for fault in PluginTrial.warnings(of: provider) ?? [] {
          output.message("\(provider.info.id) \(fault)")
        }
      }
      if let faults = await trial.faults() {
        for (place, fault) in faults.fields.enumerated() {
          let isLast = place == faults.fields.count - 1
          output.problem("\(faults.id) \(fault)", hint: isLast ? Self.fieldHint : "")
        }
        let checks = faults.checks
        if reports.count == 1 {
          reports[0].checks += checks
        } else if !reports.isEmpty || checks.contains(where: { !$0.findings.isEmpty }) {
          reports.append(ComplianceReport(provider: faults.id, checks: checks))
        }
      }
      if reports.isEmpty { try reportDescription() }
      for report in reports {
        let text = common.verbose ? report.description : report.failureText
        for line in text.split(separator: "\n") { try output.result(String(line)) }
      }
      return isFine && reports.allSatisfy(\.failures.isEmpty) ? .success : .usage
    }

    /// Writes what a plugin declares if the user wants it, else says that its `plugin.json` differs.
    private func apply(_ declaration: PluginDeclaration, _ context: Context) throws {
      let names = declaration.names.joined(separator: ", ")
      let question = "Write what the program declares into \(declaration.path) (\(names))?"
      guard rewrite || Question.isAgreed(question, context.output, context.input) else {
        return context.output.problem(
          "\(declaration.path) differs from what the program declares: \(names)",
          hint: "to write it, add --rewrite")
      }
      try declaration.write()
      context.output.message("\(declaration.path) has what the program declares: \(names)")
    }

    /// Runs the compliance suite, and checks the paths of a manifest.
    private func report(on provider: any SearchProvider, of trial: PluginTrial) async -> ComplianceReport {
      let samples = ProviderComplianceTests.Samples(
        words: word.isEmpty ? Self.usualWords : word, qualifiers: qualifier,
        deadline: PluginTrial.deadline(of: provider), grace: .seconds(2))
      let suite = ProviderComplianceTests(provider: provider, samples: samples) {
        // As after a restart of the program: another process, another memory.
        guard let other = try trial.providers().first(where: { $0.info.id == provider.info.id }) else {
          throw SearchError(
            .configuration, "the description no longer has \(provider.info.id)",
            hint: "do not change it during the check")
        }
        return other
      }
      var report = await suite.run()
      func check(_ id: String, _ rule: String, _ faults: [PluginTrial.ManifestFault]) {
        let certain = faults.filter { !$0.isDoubtful }
        report.checks.append(
          ComplianceReport.Check(
            id, rule, findings: certain.map { ComplianceFinding($0.subject, $0.problem) }))
        report.notes += faults.filter(\.isDoubtful).map { "\($0.subject): \($0.problem)" }
      }
      if let faults = await PluginTrial.startFaults(of: provider, words: samples.words) {
        check("start", "lists have no results before their first page", faults)
      }
      if let faults = PluginTrial.pathFaults(of: provider) {
        check("map", "answers have what the paths name, where they have no default", faults)
      }
      if let faults = await trial.forgeFaults(of: provider.info.id) {
        report.checks.append(
          ComplianceReport.Check(
            "forge", "the account of the secret, its stars, an owner's repositories and files are answered",
            findings: faults.map { ComplianceFinding($0.subject, $0.error.message) }))
      }
      return report
    }

    /// Why the server of a provider cannot be reached, which is no fault of the provider.
    private func unreachable(_ provider: any SearchProvider, _ output: Output) async -> SearchError? {
      let word = word.first ?? Self.usualWords[0]
      guard let error = await PluginTrial.failure(of: provider, word: word) else { return nil }
      let isManifest = PluginTrial.warnings(of: provider) != nil
      // The report counts what failed; only the hint says why.
      if error.code == .timeout, !isManifest {
        output.problem("\(provider.info.id): \(error.message)", hint: error.advice)
      }
      // A lost connection of a plugin may be that to its own process.
      let isLost = error.code == .connectionLost && isManifest
      return isLost || [.unreachable, .offline, .tls].contains(error.code) ? error : nil
    }
  }
}

extension PluginTrial.Faults {
  /// The checks of what a plugin does besides answering searches.
  fileprivate var checks: [ComplianceReport.Check] {
    func findings(_ faults: [String]) -> [ComplianceFinding] { faults.map { ComplianceFinding(id, $0) } }
    // Further lines are most likely from the same statement.
    var stdout = ComplianceReport.Check(
      "stdout", "standard output has only messages; a log goes to standard error",
      findings: findings(Array(output.prefix(1))))
    stdout.omitted = max(0, output.count - 1)
    let rule = "it exits at the end of standard input, after ending its child processes"
    return [
      stdout,
      ComplianceReport.Check(
        "messages", "messages and items are as the protocol says (forage plugin guide protocol)",
        findings: findings(messages)),
      endings.map { ComplianceReport.Check("end", rule, findings: findings($0)) }
        ?? ComplianceReport.Check("end", rule, notApplicable: "it had ended before, or was stopped"),
    ]
  }
}
