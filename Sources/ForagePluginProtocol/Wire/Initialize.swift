public import ForageCore

/// What the host says first.
public struct InitializeParams: Codable, Hashable, Sendable {
  /// The versions that the host speaks.
  public var `protocol`: [Int]
  /// The host.
  public var host: ProgramInfo
  /// What the user has set for the plugin, with the defaults of its manifest.
  public var config: [String: JSONTree]
  /// The secrets that the manifest declares and the user has bound, by name.
  public var secrets: [String: String]
  /// The bounds that the host holds the plugin to.
  public var limits: AnnouncedLimits
  /// Optional behaviour that the host knows; none in this version.
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

/// What a program is.
public struct ProgramInfo: Codable, Hashable, Sendable {
  /// Its name.
  public var name: String
  /// Its version.
  public var version: String

  /// Creates what is told of a program.
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

/// The bounds that the host tells a plugin.
public struct AnnouncedLimits: Codable, Hashable, Sendable {
  /// Bytes of a line without its end.
  public var line: Int

  /// Creates limits.
  public init(line: Int = PluginProtocol.Limits.line) { self.line = line }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    line = try container.decodeIfPresent(Int.self, forKey: .line) ?? PluginProtocol.Limits.line
  }
}

/// What a plugin answers first.
public struct InitializeResult: Codable, Hashable, Sendable {
  /// The version that it speaks, one of those that it was offered.
  public var `protocol`: Int
  /// The plugin.
  public var plugin: ProgramInfo
  /// Optional behaviour that the plugin uses.
  public var features: [String]
  /// What it provides.
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
