import ArgumentParser

/// `forage plugin`: providers that are not built in.
struct PluginCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "plugin",
    abstract: "Add providers: write, check, install, trust and remove plugins and manifests.",
    discussion: """
      A plugin is a program that speaks forage-plugin/1; a manifest is a YAML file that describes a JSON API. There is no sandbox: to trust a \
      plugin is to run it as yourself.
      """,
    subcommands: [List.self, New.self, Validate.self, Trust.self, Install.self, Remove.self],
    defaultSubcommand: List.self)
}
