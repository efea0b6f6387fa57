import ArgumentParser
import Forage
import ForageCore
import ForageFoundation
import ForageManifest

extension PluginCommand {
  /// `forage plugin install`.
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
