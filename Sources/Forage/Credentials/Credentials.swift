import ForageCore

/// The tokens of forges and the secrets of plugins and manifests.
package struct Credentials: Sendable {
  private let environment: [String: String]
  private let settings: Once<Settings, ForageError>
  /// Finds tokens, not before a request is sent.
  private let finders: Once<TokenFinder, Never>
  /// The fingerprint of the token that this run uses for each host, an empty text for none; set when a token is looked for.
  package let accounts: Locked<[String: String]>
  /// Whether other credentials end the programs that look for a token.
  private let isShared: Bool

  /// Reads nothing before it is needed.
  ///
  /// - Parameters:
  ///   - configuration: What names the forges and the variables with secrets.
  ///   - reporter: Takes the lines about programs that look for a token.
  ///   - other: The credentials whose tokens are used; `nil` for none.
  init(
    environment: [String: String], _ configuration: Configuration, _ reporter: Reporter,
    sharing other: Credentials? = nil
  ) {
    self.environment = environment
    settings = configuration.settings
    isShared = other != nil
    accounts = other?.accounts ?? Locked([:])
    finders =
      other?.finders
      ?? Once { () throws(Never) in
        // What needs settings that cannot be read reports that itself.
        let settings = (try? configuration.settings.get()) ?? Settings()
        return TokenFinder(
          environment: environment, child: .live { reporter.trace?($0) },
          owners: GitHubServers.tokenOwners(configuration.forges.get(), settings))
      }
  }

  package var finder: TokenFinder { finders.get() }

  /// The token for a forge; programs that may know one are asked once in a run.
  ///
  /// - Parameter variable: The variable that the settings name; `nil` for the usual sources.
  func token(at address: ForgeAddress, variable: String?) async -> ForgeToken? {
    let token = await finder.find(address, variable: variable).token
    let fingerprint = token?.fingerprint ?? ""
    accounts.withLock { $0[address.host] = fingerprint }
    return token
  }

  /// The variables that hold secrets of plugins and manifests.
  private var secretVariables: Set<String> { (try? settings.get().secretVariables) ?? [] }

  /// The environment for programs that need no token: a pager, a browser, git.
  var environmentWithoutTokens: [String: String] {
    let (owners, others) = (finder.owners, secretVariables)
    return environment.filter { name, _ in
      !TokenFinder.tokenVariables.contains(name) && owners[name] == nil && !others.contains(name)
    }
  }

  /// The secrets that variables hold.
  var secretsOfVariables: [String] {
    secretVariables.union(TokenFinder.tokenVariables).compactMap { environment[$0] }
  }

  /// The secrets that the program holds now.
  package func heldSecrets() async -> [String] {
    let found = await finders.made?.secrets ?? []
    return (secretsOfVariables + found).filter { !$0.isEmpty }
  }

  /// Ends the programs that look for a token, unless other credentials do.
  func close() async { if !isShared { await finders.made?.cancel() } }
}
