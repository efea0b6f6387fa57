public import ForageCore

/// The settings that the host passes to a plugin.
public struct PluginSettings: Sendable {
  /// The user's settings, with the defaults of `plugin.json`, by name.
  public var config: [String: JSONTree]
  /// The secrets that `plugin.json` declares and the user configured, by name. They must not be written
  /// anywhere.
  public var secrets: [String: String]

  /// Creates settings.
  public init(config: [String: JSONTree] = [:], secrets: [String: String] = [:]) {
    self.config = config
    self.secrets = secrets
  }

  /// The value of a text setting; `nil` if it is absent, empty or not a text.
  public func text(_ name: String) -> String? {
    config[name]?.string.flatMap { $0.isEmpty ? nil : $0 }
  }
}
