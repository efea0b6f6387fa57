public import ForageCore

/// The parameters of `initialize`.
public struct InitializeParams: Codable, Hashable, Sendable {
  /// The protocol versions that the host supports.
  public var `protocol`: [Int]
  /// The host program.
  public var host: ProgramInfo
  /// The user's settings for the plugin, with the defaults of its manifest.
  public var config: [String: JSONTree]
  /// The secrets that the manifest declares and the user configured, by name.
  public var secrets: [String: String]
  /// The limits that the host enforces.
  public var limits: AnnouncedLimits
  /// Optional features that the host supports; none in this version.
  public var features: [String]

  /// Creates parameters.
  public init(
    protocol: [Int] = [PluginProtocol.version], host: ProgramInfo, config: [String: JSONTree] = [:],
    secrets: [String: String] = [:], limits: AnnouncedLimits = AnnouncedLimits(), features: [String] = []
  ) {
    self.protocol = `protocol`
    self.host = host
    self.config = config
    self.secrets = secrets
    self.limits = limits
    self.features = features
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    `protocol` = try container.decode([Int].self, forKey: .protocol)
    host =
      try container.decodeIfPresent(ProgramInfo.self, forKey: .host) ?? ProgramInfo(name: "", version: "")
    config = try container.decodeIfPresent([String: JSONTree].self, forKey: .config) ?? [:]
    secrets = try container.decodeIfPresent([String: String].self, forKey: .secrets) ?? [:]
    limits = try container.decodeIfPresent(AnnouncedLimits.self, forKey: .limits) ?? AnnouncedLimits()
    features = try container.decodeIfPresent([String].self, forKey: .features) ?? []
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

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    name = try container.decode(String.self, forKey: .name)
    version = try container.decodeIfPresent(String.self, forKey: .version) ?? ""
  }
}

/// The limits that the host announces to a plugin.
public struct AnnouncedLimits: Codable, Hashable, Sendable {
  /// The maximum length of a line in bytes, without its line feed.
  public var line: Int

  /// Creates limits.
  public init(line: Int = PluginProtocol.Limits.line) { self.line = line }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    line = try container.decodeIfPresent(Int.self, forKey: .line) ?? PluginProtocol.Limits.line
  }
}

/// The result of `initialize`.
public struct InitializeResult: Codable, Hashable, Sendable {
  /// The chosen protocol version, one of those offered.
  public var `protocol`: Int
  /// The plugin program.
  public var plugin: ProgramInfo
  /// Optional features that the plugin uses.
  public var features: [String]
  /// The plugin's providers.
  public var providers: [ProviderDeclaration]

  /// Creates a result.
  public init(
    protocol: Int = PluginProtocol.version, plugin: ProgramInfo, features: [String] = [],
    providers: [ProviderDeclaration]
  ) {
    self.protocol = `protocol`
    self.plugin = plugin
    self.features = features
    self.providers = providers
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    `protocol` = try container.decode(Int.self, forKey: .protocol)
    plugin = try container.decode(ProgramInfo.self, forKey: .plugin)
    features = try container.decodeIfPresent([String].self, forKey: .features) ?? []
    providers = try container.decode([ProviderDeclaration].self, forKey: .providers)
  }
}
