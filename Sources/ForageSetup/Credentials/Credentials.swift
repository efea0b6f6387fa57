import ForageCore
package import ForageHTTP

/// The tokens of forges and the secrets of plugins and manifests.
///
/// Where a secret may go: a token only to the one host that it is for, a secret of a plugin or manifest only
/// to one that is trusted or bundled, or that the user allows.
/// - Host of a variable: `SettingsReader.tokenVariable` and `TokenFinder.owners(of:_:)` say which host its
///   token is for, `TokenFinder.isFor` compares.
/// - GitHub: `GitHubClient.headers` attaches the token, and `GitHubClient.ownURL` keeps links to further
///   pages at the API's origin.
/// - Redirects: `HTTPTransport.followingRedirects` refuses another origin.
/// - Manifests: `ManifestClient.mayHaveSecret` admits the API's origin and the hosts of the manifest, for the
///   first request (`ManifestClient.signature`) and each one that is sent (`ManifestClient.sending`);
///   `Forage.secretRefusal` asks the user about those that a path names.
/// - Plugins: `PluginSession.opened` passes the secrets that `plugin.json` names, after
///   `Forage.secretRefusal`; `PluginEnvironment.filtered` withholds the variables.
/// - Other programs (git, pager, browser): `Forage.environmentWithoutTokens`; `gh` and credential helpers:
///   `TokenPrograms.environment(hiding:)`.
package struct Credentials: Sendable {
  private let environment: [String: String]
  private let settings: Once<Settings, ForageError>
  package let finder: TokenFinder
  /// The fingerprint of the token that this run uses for each host, an empty text for none; set when a token
  /// is looked for.
  package let accounts: Locked<[String: String]>
  private var reporter: Reporter
  /// Whether other credentials end the programs that look for a token.
  private let isShared: Bool

  /// Reads nothing before it is needed.
  ///
  /// - Parameters:
  ///   - configuration: What names the forges and the variables with secrets.
  ///   - reporter: Takes the lines about programs that look for a token, and what is wrong with the sources
  ///     of tokens.
  ///   - other: The credentials whose tokens are used; `nil` for none.
  init(
    environment: [String: String], _ configuration: Configuration, _ reporter: Reporter,
    sharing other: Credentials? = nil
  ) {
    self.environment = environment
    settings = configuration.settings
    self.reporter = reporter
    isShared = other != nil
    accounts = other?.accounts ?? Locked([:])
    finder =
      other?.finder
      ?? TokenFinder(
        environment: environment, child: .live { reporter.trace?($0) },
        // What needs settings that cannot be read reports that itself.
        owners: TokenFinder.owners(
          of: configuration.forges.get(), (try? configuration.settings.get()) ?? Settings()),
        others: ((try? configuration.settings.get().secretVariables) ?? []).union(Self.usualVariables))
  }

  /// The same, with another taker of lines.
  func reporting(to reporter: Reporter) -> Credentials {
    var copy = self
    copy.reporter = reporter
    return copy
  }

  /// The token for a forge; programs that may know one are asked once in a run. What is wrong with its
  /// sources is reported once.
  ///
  /// - Parameter variable: The variable that the settings name; `nil` for the usual sources.
  func token(at address: ForgeAddress, variable: String?) async -> ForgeToken? {
    let finding = await finding(at: address, variable: variable)
    for fault in finding.faults {
      reporter.warnOnce(fault.text, hint: finder.advice(on: fault, for: address, variable: variable))
    }
    return finding.token
  }

  /// The same with what was tried; reports nothing.
  func finding(at address: ForgeAddress, variable: String?) async -> TokenFinder.Finding {
    let finding = await finder.find(address, variable: variable)
    accounts.withLock { $0[address.host] = finding.token?.fingerprint ?? "" }
    return finding
  }

  /// What git's credential helpers know for a host; they are asked once in a run.
  func helperToken(_ scheme: String, _ host: String) async -> TokenFinder.Finding {
    let finding = await finder.findHelper(scheme, host)
    accounts.withLock { $0[host] = finding.token?.fingerprint ?? "" }
    return finding
  }

  /// The variables that hold secrets of plugins and manifests.
  private var secretVariables: Set<String> {
    ((try? settings.get().secretVariables) ?? []).union(Self.usualVariables)
  }

  private static let usualVariables = BundledForge.all.values.compactMap(\.variable?.name)

  /// The environment for programs that need no token: a pager, a browser, git.
  var environmentWithoutTokens: [String: String] {
    environment.filter { !finder.isSecret($0.key) }
  }

  /// The secrets that variables hold.
  var secretsOfVariables: [String] {
    secretVariables.union(TokenFinder.tokenVariables).compactMap { environment[$0] }
  }

  /// The secrets that the program holds now.
  package func knownSecrets() async -> [String] {
    let found = await finder.secrets
    return (secretsOfVariables + found).filter { !$0.isEmpty }
  }

  /// Ends the programs that look for a token, unless other credentials do.
  func close() async { if !isShared { await finder.cancel() } }
}

/// The token of a forge; of several, that for the owner of the repository that a request is about.
struct ForgeTokens: TokenSource {
  let forge: Forge
  let address: ForgeAddress
  let credentials: Credentials

  func token() async -> ForgeToken? {
    guard !forge.ownedTokens.isEmpty else {
      return await credentials.token(at: address, variable: forge.tokenVariable)
    }
    guard let variable = forge.ownedTokens.current else { return nil }
    return await credentials.token(at: address, variable: variable)
  }

  var hint: String? { credentials.finder.hint(for: address, variable: forge.tokenVariable) }

  var wrongVariable: String? {
    credentials.finder.findVariable(address, forge.tokenVariable).faults.first?.source
  }
}

/// Finds the token for a host: environment, `gh`, git's credential helpers, in this order, each at most once
/// in a process for a host.
package actor TokenFinder {
  package struct Finding: Sendable {
    package var token: ForgeToken?
    /// The account of the token, where git's credential helpers have named it.
    package var user: String?
    /// The sources that were tried, in order.
    package var tried: [String] = []
    /// The programs that were not started, and the sources that are at fault, with the reason.
    package var skipped: [Skipped] = []
    /// Variables that hold a token for another host.
    package var withheld: [String] = []

    /// The variables whose value is not a token, and the programs that did not answer.
    package var faults: [Skipped] { skipped.filter(\.isFault) }
  }

  /// A program that was not started because it cannot know a token, or a source that is at fault.
  package struct Skipped: Sendable, Hashable {
    package var source: String
    /// The reason; of a fault a predicate of the source.
    package var reason: String
    /// Whether the source was tried and should have had a token.
    package var isFault = false

    /// The source with the reason.
    package var text: String { isFault ? "\(source) \(reason)" : "\(source): \(reason)" }
  }

  private let environment: [String: String]
  private let programs: TokenPrograms
  private nonisolated let knownOwners: Once<[String: String], Never>
  private nonisolated let others: Once<Set<String>, Never>
  private var known: [String: Task<Finding, Never>] = [:]
  private(set) var secrets: Set<String> = []
  /// The hosts that have refused what git's credential helpers know.
  private var refused: Set<String> = []

  /// Creates a finder.
  ///
  /// - Parameters:
  ///   - owners: The one host that each variable is for, with its port where that is not the default.
  ///     `GH_ENTERPRISE_TOKEN` and `GITHUB_ENTERPRISE_TOKEN` name no host, so without an owner they are for
  ///     none.
  ///   - others: The variables with secrets of plugins and manifests.
  package init(
    environment: [String: String], child: ChildProcess,
    owners: @autoclosure @escaping @Sendable () -> [String: String],
    others: @autoclosure @escaping @Sendable () -> Set<String> = []
  ) {
    self.environment = environment
    self.others = Once { () throws(Never) in others() }
    programs = TokenPrograms(variables: environment, child: child)
    knownOwners = Once { () throws(Never) in owners() }
  }

  /// The one host that each variable is for.
  package nonisolated var owners: [String: String] { knownOwners.get() }

  /// Whether a variable holds a token or a secret of a provider.
  nonisolated func isSecret(_ variable: String) -> Bool {
    Self.tokenVariables.contains(variable) || owners[variable] != nil || others.get().contains(variable)
  }

  /// The token for a forge; any but github.com counts as another host.
  ///
  /// - Parameter variable: The variable that the settings name, which is then the only source; `nil` for the
  ///   usual sources.
  package func find(_ forge: ForgeAddress, variable: String? = nil) async -> Finding {
    let key = forge.host + " " + (variable ?? "")
    if let task = known[key] { return await task.value }
    let task = Task { await search(forge, variable) }
    known[key] = task
    let finding = await task.value
    if let token = finding.token { secrets.insert(token.secret) }
    return finding
  }

  /// The credential that git's helpers have for a host, which are asked once in a process; the token is
  /// absent after ``refuse(_:)``.
  package func findHelper(_ scheme: String, _ host: String) async -> Finding {
    let key = scheme + "://" + host
    let task = known[key] ?? Task { await programs.askGit(scheme, host, hiding: isSecret) }
    known[key] = task
    var finding = await task.value
    if let token = finding.token { secrets.insert(token.secret) }
    if refused.contains(host), let token = finding.token {
      finding.token = nil
      finding.skipped.append(
        Skipped(
          source: token.source, reason: "knows a password for \(host) that its API refuses", isFault: true))
    }
    return finding
  }

  /// Takes note that a host has refused what git's credential helpers know for it.
  package func refuse(_ host: String) { refused.insert(host) }

  private nonisolated func isFor(_ forge: ForgeAddress, _ variable: String) -> Bool {
    if let owner = owners[variable] { return owner == forge.host }
    return forge.host == BuiltInProvider.usualHost && Self.isMeant(variable, for: forge.host)
  }

  /// Ends the helper programs that still run, and waits for their end.
  package func cancel() async {
    for task in known.values { task.cancel() }
    for task in known.values { _ = await task.value }
  }

  /// The token of a variable for a host, without asking a program.
  ///
  /// - Parameter variable: As for ``find(_:variable:)``.
  package nonisolated func findVariable(_ forge: ForgeAddress, _ variable: String?) -> Finding {
    var finding = Finding()
    for name in variable.map({ [$0] }) ?? Self.tokenVariables
    where variable != nil || Self.isMeant(name, for: forge.host) {
      let token = HeaderToken.usable(environment[name])
      guard isFor(forge, name) else {
        if token != nil { finding.withheld.append(name) }
        continue
      }
      finding.tried.append(name)
      if let token {
        finding.token = ForgeToken(secret: token, source: name)
        return finding
      }
      if environment[name]?.contains(where: { !$0.isWhitespace }) == true {
        finding.skipped.append(Skipped(source: name, reason: HeaderToken.fault, isFault: true))
      }
    }
    return finding
  }

  private func search(_ forge: ForgeAddress, _ variable: String?) async -> Finding {
    var finding = findVariable(forge, variable)
    // A variable in the settings names an account; a helper may know another one.
    if finding.token != nil || variable != nil { return finding }
    await programs.ask(for: forge, hiding: isSecret, &finding)
    return finding
  }
}

extension TokenFinder {
  /// What to do about a source that is at fault.
  nonisolated func advice(on fault: Skipped, for forge: ForgeAddress, variable: String?) -> String {
    let hint = hint(for: forge, variable: variable)
    return findVariable(forge, variable).faults.isEmpty ? "check that the program answers, or " + hint : hint
  }

  /// How to provide a token for a server.
  ///
  /// - Parameters:
  ///   - forge: The server; `nil` if its address is wrong.
  ///   - variable: The variable that the settings name for it; `nil` for none.
  nonisolated func hint(for forge: ForgeAddress?, variable: String?) -> String {
    if let fault = forge.flatMap({ findVariable($0, variable).faults.first }) {
      return HeaderToken.advice(fault.source)
    }
    if let variable { return "set \(variable), which the settings name for it" }
    guard let host = forge?.host else { return "set GH_TOKEN or run: gh auth login" }
    let isUsual = host == BuiltInProvider.usualHost
    let usable = Self.tokenVariables.first { name in
      Self.isMeant(name, for: host) && (isUsual || owners[name] == host)
    }
    let login = isUsual ? "gh auth login" : "gh auth login --hostname \(host)"
    guard let usable else {
      return
        "add a variable with its token to the settings, secrets: {token: {env: NAME}}, or run: \(login)"
    }
    return "set \(usable) or run: \(login)"
  }
}
