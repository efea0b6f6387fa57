public import ForageCore

/// What the host tells a plugin before anything is asked of it.
public struct PluginSettings: Sendable {
  /// What the user has set, with the defaults of `plugin.json`, by name.
  public var config: [String: JSONTree]
  /// The secrets that `plugin.json` declares and the user has bound, by name. They are not to be written anywhere.
  public var secrets: [String: String]

  /// Creates settings.
  public init(config: [String: JSONTree] = [:], secrets: [String: String] = [:]) {
    self.config = config
    self.secrets = secrets
  }

  /// The text that a setting has, `nil` where it is absent, empty, or no text.
  public func text(_ name: String) -> String? {
    config[name]?.string.flatMap { $0.isEmpty ? nil : $0 }
  }
}
