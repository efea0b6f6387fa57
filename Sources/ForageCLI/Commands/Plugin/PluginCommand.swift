import ArgumentParser

/// `forage plugin`: manages providers that are not built in.
struct PluginCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "plugin",
    abstract: "Manage plugins and manifests, which add providers.",
    discussion: """
      A plugin is a program that speaks forage-plugin/1; a manifest is a YAML file that describes a JSON API. There is no sandbox: a trusted \
      plugin runs with your permissions.
      """,
    subcommands: [List.self, New.self, Validate.self, Trust.self, Install.self, Remove.self, Guide.self],
    defaultSubcommand: List.self)
}
