package import ForageCore
import ForageFoundation
import ForageManifest
import ForagePlatform
import ForagePluginHost

/// A plugin or a manifest, which the user has to trust before it runs or gets a secret.
package struct TrustSubject: Sendable {
  fileprivate enum Source {
    case plugin(FoundPlugin)
    case manifest(isBundled: Bool)
  }

  fileprivate let source: Source
  package let id: String
  /// With the version of a plugin.
  package let name: String
  /// The folder of the plugin, or the file of the manifest.
  package let path: String
  /// The hosts that a plugin names, or that the secret of a manifest is sent to.
  package let hosts: [String]
  package let secrets: [String]
  /// The actions that a plugin offers on its results.
  package let actions: [ResultAction]
  /// The secret that a plugin does not get, because Forage adds it to its requests; `nil` for none.
  package let addedSecret: String?
  package let kinds: [ResultKind]
  /// The program of a plugin: its command line, the command that builds it, and the files that are trusted;
  /// `nil` for a manifest.
  package let program: (command: [String], build: [String], files: [String])?
  /// Whether a manifest cannot be used without its secret.
  package let needsSecret: Bool

  init(_ plugin: FoundPlugin) {
    let manifest = plugin.manifest
    (source, id, path) = (.plugin(plugin), plugin.id, plugin.folder)
    name = "\(manifest.name) \(manifest.version)"
    (hosts, secrets, kinds) = (manifest.hosts, manifest.secrets, manifest.kinds)
    (addedSecret, actions) = (manifest.auth?.secret, manifest.actions)
    (program, needsSecret) = ((manifest.command, manifest.build, manifest.trustedFiles), false)
  }

  /// - Parameter settings: May name another address of the API; `nil` where they cannot be read.
  init(_ manifest: Manifest, isBundled: Bool, _ settings: Settings?) {
    let base = settings?.providers[manifest.id]?.config["url"]?.string
    (source, id, path) = (.manifest(isBundled: isBundled), manifest.id, manifest.path)
    (name, hosts) = (manifest.name, manifest.secretHosts(base: base).sorted())
    (secrets, kinds) = (manifest.auth?.names ?? [], manifest.kinds.map(\.kind))
    (addedSecret, actions) = (nil, [])
    (program, needsSecret) = (nil, manifest.kinds.allSatisfy(\.needsToken))
  }

  /// What a user reviews before it is trusted, in an order for people.
  private var declaration: [(name: String, values: [String])] {
    func line(_ words: [String]?) -> [String] {
      words.map { [$0.map(\.shellQuoted).joined(separator: " ")].filter { !$0.isEmpty } } ?? []
    }
    return [
      ("Runs", line(program?.command)), ("Built with", line(program?.build)), ("Files", program?.files ?? []),
      ("Hosts", hosts), ("Secrets", secrets.map { "\($0) (\(receiver(of: $0)))" }),
      ("Actions", actions.map { "\($0.name): " + $0.command.map(\.shellQuoted).joined(separator: " ") }),
      ("Kinds", kinds.map(\.rawValue)),
    ]
  }

  /// Who gets a secret, for people.
  package func receiver(of secret: String) -> String {
    secret == addedSecret
      ? "added by Forage, not given to the plugin"
      : program == nil ? "sent to its hosts" : "given to the plugin"
  }

  /// Whether it came with the program.
  var isOfInstallation: Bool {
    switch source {
    case .plugin(let plugin): plugin.origin != .user
    case .manifest(let isBundled): isBundled
    }
  }

  /// The differences between two versions of it, for each part that differs.
  package func changes(to new: TrustSubject) -> [(name: String, removed: [String], added: [String])] {
    zip(declaration, new.declaration).compactMap { old, new in
      let removed = old.values.filter { !new.values.contains($0) }
      let added = new.values.filter { !old.values.contains($0) }
      return removed.isEmpty && added.isEmpty ? nil : (old.name, removed, added)
    }
  }

  /// The files whose contents are others in another version, or that only one of them has.
  func differingFiles(from new: TrustSubject) -> [String] {
    func files(_ subject: TrustSubject) -> [String: String] {
      guard case .plugin(let plugin) = subject.source else { return [subject.id + ".yaml": subject.path] }
      let names = plugin.manifest.trustedFiles + [PluginManifest.fileName]
      return Dictionary(names.map { ($0, subject.path + "/" + $0) }) { first, _ in first }
    }
    let (known, others) = (files(self), files(new))
    return Set(known.keys).union(others.keys).sorted().filter { name in
      guard let old = known[name], let new = others[name] else { return true }
      return !FileManager.default.contentsEqual(atPath: old, andPath: new)
    }
  }

  /// The program that a plugin runs; `nil` for a manifest, and where there is none.
  package func programPath(environment: [String: String]) -> String? {
    guard case .plugin(let plugin) = source else { return nil }
    return try? plugin.program(environment: environment)
  }

  /// Whether it may run or get its secret.
  package enum State: Sendable {
    case trusted, untrusted
    /// It needs no trust; with the reason, for example `sends no secret`.
    case exempt(String)
  }
}

extension InstalledProviders {
  /// The plugin or manifest with an id.
  ///
  /// - Parameter settings: The settings, which may name another address of a manifest's API; `nil` where they
  ///   cannot be read.
  /// - Throws: `ForageError` for an unknown id.
  package func subject(_ id: String, _ settings: Settings?) throws -> TrustSubject {
    if let plugin = plugins[id] { return TrustSubject(plugin) }
    guard let found = manifest(id) else { throw noPlugin(id) }
    return TrustSubject(found.manifest, isBundled: found.isBundled, settings)
  }

  /// Whether a plugin or manifest may run or get its secret.
  ///
  /// - Throws: `SearchError` where its files or the trust file cannot be read.
  package func state(of subject: TrustSubject) throws(SearchError) -> TrustSubject.State {
    let bundled = TrustSubject.State.exempt("is part of this installation")
    switch subject.source {
    case .plugin(let plugin):
      switch try trust.state(of: plugin) {
      case .trusted: return .trusted
      case .bundled, .named: return bundled
      case .untrusted, .changed: return .untrusted
      }
    case .manifest(let isBundled):
      guard !subject.secrets.isEmpty, !isBundled else {
        return isBundled ? bundled : .exempt("sends no secret")
      }
      let trusted = try trust.hosts(ofManifest: subject.id)
      return trusted?.isSuperset(of: subject.hosts) == true ? .trusted : .untrusted
    }
  }

  /// Trusts a plugin or manifest as it is now, or records that the user did not agree.
  ///
  /// - Throws: `SearchError` where its files cannot be read or the trust file cannot be written.
  package func setTrust(_ isTrusted: Bool, of subject: TrustSubject) throws(SearchError) {
    switch subject.source {
    case .plugin(let plugin): if isTrusted { try trust.trust(plugin) }
    case .manifest: try trust.setHosts(isTrusted ? Set(subject.hosts) : [], ofManifest: subject.id)
    }
  }
}
