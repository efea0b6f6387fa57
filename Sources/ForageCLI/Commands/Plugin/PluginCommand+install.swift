import ArgumentParser
import Forage
import ForageCore
import ForageFoundation
import ForageManifest
import ForagePluginHost

extension PluginCommand {
  struct Install: Command {
    static let configuration = CommandConfiguration(
      commandName: "install",
      abstract: "Install a plugin or manifest (folder, file or git repository).",
      discussion: """
        A repository is fetched with the git program at one commit: ADDRESS#REVISION. A copy is installed. A plugin does not run, and a \
        manifest does not send your secret, before you trust it: on a terminal the command asks, elsewhere --trust or --yes is required.
        """)

    @OptionGroup var common: CommonOptions
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

    func run(in context: Context) async throws -> ExitStatus {
      let place = try PluginSource(source, currentFolder: FileManager.default.currentDirectoryPath)
      switch try await PluginInstallation(context.services, replaces: force, keepsSame: trust).install(place)
      {
      case .installed(let installed): return try confirm(installed, context)
      case .exists(let id, let path, let isSame):
        throw ForageError(
          "\(id) is already installed in \(path)",
          hint: isSame
            ? "it is the same; to trust it, run: forage plugin trust \(id)" : "replace it with --force")
      }
    }

    /// Shows what was installed, and asks whether it is trusted.
    private func confirm(_ installed: PluginInstallation.Installed, _ context: Context) throws -> ExitStatus {
      let (output, subject, id) = (context.output, installed.subject, installed.subject.id)
      if let commit = installed.commit { output.message("\(source) is at commit \(commit)") }
      for hidden in installed.hidden {
        output.problem(
          "\(id) hides the bundled \(hidden)",
          hint: "to use the bundled one again, run: forage plugin remove \(id)")
      }
      try PluginCommand.show(subject, context)
      if case .manifest = subject { output.message("\(id) is installed as \(installed.path)") }
      let trusts = context.services.installed()
      var isTrusted = true
      switch try trusts.state(of: subject) {
      case .exempt: return .success
      case .trusted: break
      case .untrusted:
        isTrusted = trust || Question.isAgreed(subject.question, output, context.input)
        try trusts.setTrust(isTrusted, of: subject)
      }
      switch subject {
      case .plugin where isTrusted: output.message("\(id) is installed and trusted")
      case .plugin:
        output.problem(
          "\(id) is installed and not trusted, so it cannot run",
          hint: "read the above, then: forage plugin trust \(id)")
      case .manifest(let manifest, _, _):
        guard let auth = manifest.auth else { break }
        if isTrusted {
          reportSecret(auth, of: id, context)
        } else {
          output.problem(
            "\(id) is installed, and your secret \(auth.secret) is not sent before you confirm its hosts",
            hint: "read the above, then: forage plugin trust \(id)")
        }
      }
      return .success
    }

    /// Reports which variable the secret of a manifest is in, or how to name one.
    private func reportSecret(_ auth: Manifest.Auth, of id: String, _ context: Context) {
      let settings = try? context.services.settings()
      if let variable = settings?.providers[id]?.secrets[auth.secret] {
        let isSet = context.services.environment[variable]?.isEmpty == false
        context.output.message(
          "its secret \(auth.secret) is bound to the variable \(variable)\(isSet ? "" : ", which is not set")"
        )
      } else if auth.isRequired {
        context.output.message(
          "it needs a secret; add to the settings: providers: {\(id): {secrets: {\(auth.secret): {env: NAME}}}}"
        )
      }
    }
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

    @OptionGroup var common: CommonOptions
    @Argument(
      help: ArgumentHelp("The id of a plugin or manifest.", valueName: "id"), completion: Completion.plugin)
    var id: String
    @Flag(name: .shortAndLong, help: "Trust it without asking.")
    var yes = false

    func run(in context: Context) async throws -> ExitStatus {
      let installed = context.services.installed()
      let subject = try installed.subject(id, try? context.services.settings())
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
    switch subject {
    case .plugin(let plugin): try show(plugin, context)
    case .manifest(let manifest, let hosts, _): try show(manifest, hosts: hosts, context)
    }
  }

  private static func show(_ manifest: Manifest, hosts: Set<String>, _ context: Context) throws {
    var sheet = FactSheet(title: "\(manifest.id)  \(manifest.name)")
    sheet.add("File", manifest.path)
    sheet.add("Hosts", hosts.sorted().joined(separator: ", "))
    sheet.add("Secrets", manifest.auth?.secret ?? "none")
    sheet.add("Kinds", manifest.kind.rawValue)
    try sheet.write(to: context.output)
  }

  private static func show(_ plugin: FoundPlugin, _ context: Context) throws {
    let manifest = plugin.manifest
    var sheet = FactSheet(title: "\(plugin.id)  \(manifest.name) \(manifest.version)")
    sheet.add("Folder", plugin.folder)
    sheet.add("Runs", manifest.command.map(\.shellQuoted).joined(separator: " "))
    sheet.add("Program", try? plugin.program(environment: context.services.environment))
    sheet.add("Files", manifest.trustedFiles.joined(separator: ", "))
    sheet.add("Hosts", manifest.hosts.isEmpty ? "none" : manifest.hosts.joined(separator: ", "))
    sheet.add("Secrets", manifest.secrets.isEmpty ? "none" : manifest.secrets.joined(separator: ", "))
    sheet.add("Kinds", manifest.kinds.map(\.rawValue).joined(separator: ", "))
    try sheet.write(to: context.output)
  }
}

extension TrustSubject {
  /// What is asked before it is trusted.
  var question: String {
    guard case .manifest(let manifest, let hosts, _) = self, let auth = manifest.auth else {
      return "Allow it to run with all your permissions?"
    }
    return "Allow it to send your secret \(auth.secret) to \(hosts.sorted().joined(separator: ", "))?"
  }
}
