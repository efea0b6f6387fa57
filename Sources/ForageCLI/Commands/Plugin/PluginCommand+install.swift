import ArgumentParser
import Forage
import ForageCore
import ForageFoundation
import ForagePlatform

extension PluginCommand {
  struct Install: Command {
    static let configuration = CommandConfiguration(
      commandName: "install",
      abstract: "Install a plugin or manifest (folder, file or git repository).",
      discussion: """
        A repository is fetched with the git program at one commit: ADDRESS#REVISION. A copy is installed. A plugin does not run, and a \
        manifest does not send your secret, before you trust it, and its build command runs only if you agree: on a terminal the command asks, elsewhere --trust or --yes is required.
        """)

    @Argument(
      help: ArgumentHelp("A folder with a plugin.json, a manifest, or an address.", valueName: "source"),
      completion: .file())
    var source: String
    @Flag(
      name: [.customLong("trust"), .customLong("yes"), .customShort("y")],
      help: "Trust the plugin or manifest without asking.")
    var trust = false
    @Flag(help: "Replace an installed plugin or manifest.")
    var force = false

    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> ExitStatus {
      let place = try PluginSource(
        source, currentFolder: FileManager.default.currentDirectoryPath,
        bareHost: context.forage.hostOfBareNames, cloneAddress: context.forage.cloneAddress)
      // What runs without a question is named in full: a folder that is missing may read as a repository.
      if trust, case .git(let address, _) = place, !source.contains(":"),
        ["https://", "http://"].contains(where: address.hasPrefix)
      {
        throw ForageError(
          "\(source) is no folder, and is installed without a question only by its address",
          hint: "write: forage plugin install \(address) --yes")
      }
      let installation = PluginInstallation(context.forage, replaces: force) { _ in
        false
      } allowsBuild: { [trust] command, folder in
        trust || PluginCommand.allowsBuild(command, folder, context)
      }
      switch try await installation.install(place) {
      case .installed(let installed):
        if let commit = installed.commit { context.output.message("\(source) is at commit \(commit)") }
        return try PluginCommand.confirm(installed, isTrusted: trust, context)
      case .exists(let id, let path):
        throw ForageError(
          "another version of \(id) is already installed in \(path)",
          hint: "replace it with --force, or see what changes with: forage plugin upgrade \(id)")
      }
    }
  }

  /// Asks whether a command line may run that builds a plugin.
  static func allowsBuild(_ command: [String], _ folder: String, _ context: Context) -> Bool {
    let line = command.map(\.shellQuoted).joined(separator: " ")
    return Question.isAgreed(
      "Run \(line) in \(folder) with all your permissions?", context.output, context.input)
  }

  /// Shows what was installed, and asks whether it is trusted, unless that was said before.
  static func confirm(
    _ installed: PluginInstallation.Installed, isTrusted trust: Bool, _ context: Context
  ) throws -> ExitStatus {
    let (output, subject, id) = (context.output, installed.subject, installed.subject.id)
    if installed.isUnchanged { output.message("\(id) is already installed, with the same files") }
    for hidden in installed.hidden {
      output.problem(
        "\(id) hides the bundled \(hidden)",
        hint: "to use the bundled one again, run: forage plugin remove \(id)")
    }
    let trusts = context.forage.installed()
    let state = try trusts.state(of: subject)
    // Before anything is printed: whoever reads may stop reading, and what was agreed to is done as a whole.
    if trust, case .untrusted = state { try trusts.setTrust(true, of: subject) }
    try PluginCommand.show(subject, context)
    let variables = (try? context.forage.settings())?.providers[id]?.secrets
    let variable = subject.secrets.first.flatMap { variables?[$0] }
    var isTrusted = true
    if !trust, case .untrusted = state {
      // Without a variable there is no secret of a manifest yet.
      let isAsked = subject.program != nil || variable != nil
      isTrusted = isAsked && Question.isAgreed(subject.question, output, context.input)
      try trusts.setTrust(isTrusted, of: subject)
    }
    guard subject.program != nil else {
      report(installed, variable: variable, isTrusted: isTrusted, context)
      return .success
    }
    isTrusted
      ? output.message("\(id) is installed and trusted")
      : output.problem(
        "\(id) is installed and not trusted, so it cannot run", hint: subject.adviceToTrust)
    return .success
  }

  /// Reports where a manifest was installed and, if it has a secret, which variable that is in, or how to
  /// name one.
  private static func report(
    _ installed: PluginInstallation.Installed, variable: String?, isTrusted: Bool, _ context: Context
  ) {
    let (output, subject) = (context.output, installed.subject)
    let place = "\(subject.id) is installed as \(installed.path)"
    guard let secret = subject.secrets.first else { return output.message(place) }
    guard let variable else {
      return output.message(
        "\(place); its secret \(secret) is \(subject.needsSecret ? "required" : "optional"), and not set; set it in config.yaml: "
          + "providers: {\(subject.id): {secrets: {\(secret): {env: NAME}}}}")
    }
    guard isTrusted else {
      return output.problem(
        "\(place); its secret \(secret) from the variable \(variable) is not sent before you trust it",
        hint: subject.adviceToTrust)
    }
    let isSet = context.forage.environment[variable]?.isEmpty == false
    output.message(
      "\(place); its secret \(secret) is bound to the variable \(variable)\(isSet ? "" : ", which is not set")"
    )
  }
}

extension PluginCommand {
  struct Trust: Command {
    static let configuration = CommandConfiguration(
      commandName: "trust", abstract: "Show what a plugin runs, and allow it to run.",
      discussion: """
        Shows the command line, the hosts and the secrets of the plugin, and asks. Any answer but yes is no. Without a terminal --yes is \
        required. A plugin that has changed must be trusted again. For a manifest, it allows to send your secret to its hosts.
        """)

    @Argument(
      help: ArgumentHelp("The id of a plugin or manifest.", valueName: "id"), completion: Completion.plugin)
    var id: String
    @Flag(name: .shortAndLong, help: "Trust it without asking.")
    var yes = false

    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> ExitStatus {
      let installed = context.forage.installed()
      let subject = try installed.subject(id, try? context.forage.settings())
      try PluginCommand.show(subject, context)
      switch try installed.state(of: subject) {
      case .trusted: context.output.message("\(id) is already trusted")
      case .exempt(let reason): context.output.message("\(id) \(reason) and needs no trust")
      case .untrusted:
        try ask(subject.question, context)
        try installed.setTrust(true, of: subject)
        context.output.message("\(id) is now trusted")
      }
      return .success
    }

    /// Asks, unless `--yes` is the answer.
    ///
    /// - Throws: `ForageError` for any answer but yes.
    private func ask(_ question: String, _ context: Context) throws {
      if yes { return }
      guard context.input.isTerminal else {
        throw ForageError(
          "\(id) is not trusted: there is no terminal to ask on",
          hint: "read the above; to trust it without a question, add --yes")
      }
      guard Question.isAgreed(question, context.output, context.input) else {
        throw ForageError("\(id) is not trusted", hint: "to trust it, answer yes")
      }
    }
  }

  /// Shows what matters for trusting a plugin or manifest.
  static func show(_ subject: TrustSubject, _ context: Context) throws {
    func list(_ names: [String]) -> String { names.joined(separator: ", ") }
    var sheet = FactSheet(title: "\(subject.id)  \(subject.name)")
    if let program = subject.program {
      sheet.add("Folder", subject.path)
      sheet.add("Runs", program.command.map(\.shellQuoted).joined(separator: " "))
      if !program.build.isEmpty {
        sheet.add("Built with", program.build.map(\.shellQuoted).joined(separator: " "))
      }
      sheet.add("Program", subject.programPath(environment: context.forage.environment))
      sheet.add("Files", list(program.files))
      sheet.add("Hosts", subject.hosts.isEmpty ? "none" : list(subject.hosts))
    } else {
      sheet.add("File", subject.path)
      sheet.add("Hosts", list(subject.hosts))
    }
    let secrets = subject.secrets.map {
      $0 + (subject.program == nil ? "" : " (\(subject.receiver(of: $0)))")
    }
    sheet.add("Secrets", secrets.isEmpty ? "none" : list(secrets))
    for action in subject.actions { sheet.add("Action", action.summary) }
    sheet.add("Kinds", list(subject.kinds.map(\.rawValue)))
    try sheet.write(to: context.output)
  }
}

extension TrustSubject {
  /// What to do so that it is trusted.
  fileprivate var adviceToTrust: String { "read the above, then: forage plugin trust \(id)" }

  /// What is asked before it is trusted.
  fileprivate var question: String {
    guard program == nil, let secret = secrets.first else {
      return "Allow it to run with all your permissions?"
    }
    return "Allow it to send your secret \(secret) to \(hosts.joined(separator: ", "))?"
  }
}
