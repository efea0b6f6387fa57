import ArgumentParser
import Forage
import ForageCore

extension PluginCommand {
  struct Upgrade: Command {
    static let configuration = CommandConfiguration(
      commandName: "upgrade",
      abstract: "Install the present versions of plugins and manifests.",
      discussion: """
        Asks what each was installed from (see: forage plugin install), without an id for all. Shows what changes in what it runs, its hosts, \
        secrets and actions before it is replaced and trusted again: on a terminal the command asks, elsewhere --yes is required. \
        Exit status: 0 all are up to date, 2 one is not.
        """, aliases: ["update"])

    @Argument(
      help: ArgumentHelp("The id of a plugin or manifest. (default all)", valueName: "id"),
      completion: Completion.plugin)
    var id: String?
    @Flag(name: .shortAndLong, help: "Build, replace and trust without asking.")
    var yes = false

    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> ExitStatus {
      let installation = PluginInstallation(context.forage) { replacement in
        try agrees(to: replacement, context)
      } allowsBuild: { command, folder in
        yes || PluginCommand.allowsBuild(command, folder, context)
      }
      if let id { return try await upgrade(id, installation, context) }
      let ids = try installation.upgradableIDs
      guard !ids.isEmpty else {
        throw ForageError(
          "no plugin and no manifest was installed from a place that is known",
          hint: "see what is installed with: forage plugin list")
      }
      var status = ExitStatus.success
      for id in ids {
        do {
          let own = try await upgrade(id, installation, context)
          if own != .success { status = own }
        } catch {
          guard let known = ForageError(advising: error) else { throw error }
          context.output.problem("\(id): \(known.message)", hint: known.hint)
          status = ExitStatus(known.code)
        }
      }
      return status
    }

    private func upgrade(_ id: String, _ installation: PluginInstallation, _ context: Context) async throws
      -> ExitStatus
    {
      switch try await installation.upgrade(id) {
      case .exists:
        context.output.problem("\(id) was left as it is", hint: "")
        return .usage
      case .installed(let installed):
        let version = installed.commit.map { " at commit \($0)" } ?? ""
        guard !installed.isUnchanged else {
          let pinned = installed.revision.map { ", which is \($0)" } ?? ""
          context.output.message("\(id) is up to date\(version)\(pinned)")
          return .success
        }
        context.output.message("\(id) is now \(installed.subject.name)\(version)")
        // What a plugin runs was agreed to; where a manifest sends a secret is asked for by itself.
        return try PluginCommand.confirm(
          installed, isTrusted: yes || installed.subject.program != nil, context)
      }
    }

    private static func short(_ commit: String) -> String { String(commit.prefix(7)) }

    /// Shows what changes, and asks.
    private func agrees(to replacement: PluginInstallation.Replacement, _ context: Context) throws -> Bool {
      let (old, new, commits) = (replacement.old, replacement.new, replacement.commits)
      var sheet = FactSheet(title: "\(new.id)  \(old.map { $0.name + " to " } ?? "")\(new.name)")
      for change in old?.changes(to: new) ?? [] {
        sheet.add(
          change.name, change.removed.isEmpty ? nil : "no more: " + change.removed.joined(separator: ", "))
        sheet.add(change.name, change.added.isEmpty ? nil : "new: " + change.added.joined(separator: ", "))
      }
      if old?.changes(to: new).isEmpty == true {
        sheet.add("Declaration", "the same hosts, secrets, actions and command; its files differ")
      }
      if let commit = commits.new {
        let known = commits.old.map { Self.short($0) + " to " } ?? ""
        sheet.add("Commit", known + Self.short(commit))
      }
      let files = replacement.files
      sheet.add("Changed", files.isEmpty ? nil : files.joined(separator: ", "))
      if yes {
        // Whoever reads may stop reading; what was agreed to beforehand is done all the same.
        try? sheet.write(to: context.output)
        return true
      }
      try sheet.write(to: context.output)
      guard context.input.isTerminal else {
        throw ForageError(
          "there is no terminal to ask on, so it is not upgraded",
          hint: "read the above; to replace and trust it without a question, add --yes")
      }
      let runs =
        new.program == nil ? "Replace it?" : "Replace it, and allow it to run with all your permissions?"
      return Question.isAgreed(runs, context.output, context.input)
    }
  }
}
