public import ForageCore

/// The parameters of `initialize`.
public struct InitializeParams: Codable, Hashable, Sendable {
  /// The protocol version that the host speaks.
  public var `protocol`: Int
  /// The host program.
  public var host: ProgramInfo
  /// The user's settings for the plugin, with the defaults of its `plugin.json`.
  public var config: [String: JSONTree]
  /// The secrets that `plugin.json` declares and the user configured, by name.
  public var secrets: [String: String]

  /// Creates parameters.
  public init(
    protocol: Int = PluginProtocol.version, host: ProgramInfo, config: [String: JSONTree] = [:],
    secrets: [String: String] = [:]
  ) {
    self.protocol = `protocol`
    self.host = host
    self.config = config
    self.secrets = secrets
  }
}

/// The name and version of a program.
public struct ProgramInfo: Codable, Hashable, Sendable {
  /// Its name.
  public var name: String
  /// Its version.
  public var version: String

  /// Creates the information.
  public init(name: String, version: String) {
    self.name = name
    self.version = version
  }
}

/// The result of `initialize`.
public struct InitializeResult: Codable, Hashable, Sendable {
  /// The protocol version that the plugin speaks.
  public var `protocol`: Int
  /// The version of the plugin, in any format.
  public var version: String

  /// Creates a result.
  public init(protocol: Int = PluginProtocol.version, version: String) {
    self.protocol = `protocol`
    self.version = version
  }
}
