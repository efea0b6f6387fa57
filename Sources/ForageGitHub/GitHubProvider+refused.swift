public import ForageCore
import ForageHTTP

/// Searches that GitHub refuses as a whole, although it answers parts of them.
extension GitHubProvider {
  /// The most repositories and accounts of a query that are looked up to find those that are missing.
  private static let mostLookups = 10

  /// One page of what GitHub does not refuse of a query that it refused as a whole.
  ///
  /// - Some tokens cannot search for issues and pull requests at once: they are asked one after the other and
  ///   merged.
  /// - A query with repositories or accounts that do not exist is asked without them, which a note says.
  /// - An account that does not exist and that is named otherwise, as the author, is named in the error.
  /// - A repository that was renamed is searched under its name of now; GitHub knows the former one in
  ///   addresses only.
  func searchAgain(_ request: SearchRequest, refused error: SearchError) async throws -> SearchPage {
    let isTyped = request.query?.conjuncts.contains { Self.types.contains($0) } ?? false
    if request.kind == .issue, !isTyped, error.message.contains(GitHubErrors.missingType) {
      return try await searchByType(request)
    }
    guard error.message.contains(GitHubErrors.unknownScope), let given = request.query else { throw error }
    if given.leaves.contains(where: { Self.namesOwnAccount($0.expression) }), await client.token() == nil {
      let errors = client.errors(nil)
      throw SearchError(
        .unauthorized, "\(errors.name) knows who @me is from a token only", hint: errors.tokenAdvice)
    }
    let query = try GitHubQuery.withoutHosts(given, hosts: client.address.entityHosts)
    let (missing, renamed) = try await missingScopes(of: query, deadline: request.deadline)
    guard !missing.isEmpty || !renamed.isEmpty else {
      let accounts = try await missingAccounts(of: query, deadline: request.deadline)
      guard let first = accounts.first else { throw error }
      let names = accounts.map { "\($0.name):\($0.valueText)" }.joined(separator: ", ")
      throw SearchError(
        .invalidQuery, "\(client.errors(nil).name) does not know \(names)", hint: "check the names",
        subject: first.valueText)
    }
    var rest = request
    if missing.isEmpty {
      rest.query = GitHubQuery.renaming(renamed, in: query)
      return try await searchOnce(rest)
    }
    let names = missing.map { "\($0.name):\($0.valueText)" }.joined(separator: ", ")
    let fault =
      "\(client.errors(nil).name) cannot search in \(names), which "
      + (missing.count == 1 ? "does not exist or is" : "do not exist or are") + " not visible to you"
    let hint = "check the names, and which repositories the token can access"
    rest.query = GitHubQuery.without(Set(missing), in: query).map { GitHubQuery.renaming(renamed, in: $0) }
    guard rest.query != nil else {
      throw SearchError(.invalidQuery, fault, hint: hint, subject: missing[0].valueText)
    }
    var page = try await searchOnce(rest)
    page.notes.insert(Note(.missingScopes, fault, hint: hint), at: 0)
    return page
  }

  /// The conditions for issues and for pull requests alone, as GitHub's message writes them.
  private static let types = ["issue", "pull-request"].map {
    QueryExpression.qualifier(Qualifier("is", .text($0)))
  }

  /// One page of the lists of issues and of pull requests. Of a sorted list with more than the reachable
  /// results the rest is read in ranges.
  func searchByType(_ request: SearchRequest) async throws -> SearchPage {
    let lists = Self.types.map { type -> JoinedLists.List in
      { part in
        var part = part
        part.query = QueryExpression.all([request.query, type].compactMap(\.self))
        return try await searchOnce(part)
      }
    }
    return try await JoinedLists(lists, reachable: Self.reachable).page(request)
  }

  /// Whether a condition names the account of the token.
  private static func namesOwnAccount(_ condition: QueryExpression) -> Bool {
    guard case .qualifier(let qualifier) = condition, case .text(let name) = qualifier.value else {
      return false
    }
    return name.lowercased() == "@me"
  }

  /// The repositories and accounts in which a query searches and that the server does not have, and the
  /// repositories that have another name now, with that.
  private func missingScopes(of query: QueryExpression, deadline: ContinuousClock.Instant) async throws
    -> (missing: [Qualifier], renamed: [Qualifier: String])
  {
    var missing: [Qualifier] = []
    var renamed: [Qualifier: String] = [:]
    for scope in GitHubQuery.scopes(of: query).prefix(Self.mostLookups) where !missing.contains(scope) {
      guard case .text(let name) = scope.value, !Self.namesOwnAccount(.qualifier(scope)) else { continue }
      let parts = name.split(separator: "/").map(String.init)
      guard parts.count == (scope.name == "repo" ? 2 : 1) else { continue }
      do {
        let path = (scope.name == "repo" ? ["repos"] : ["users"]) + parts
        let (found, _) = try await client.get(client.url(path), deadline: deadline, \.object)
        if let now = found["full_name"]?.string, now.lowercased() != name.lowercased() {
          renamed[scope] = now
        }
      } catch let error as SearchError {
        // Of a name that cannot be looked up it is not known whether it is missing.
        if error.code == .notFound { missing.append(scope) }
      }
    }
    return (missing, renamed)
  }

  /// The accounts that a query names and does not search in, and that the server does not have.
  private func missingAccounts(of query: QueryExpression, deadline: ContinuousClock.Instant) async throws
    -> [Qualifier]
  {
    var missing: [Qualifier] = []
    for person in GitHubQuery.people(of: query).prefix(Self.mostLookups) where !missing.contains(person) {
      // An app is no account: app/dependabot.
      guard case .text(let name) = person.value, !name.contains("/"),
        !Self.namesOwnAccount(.qualifier(person))
      else { continue }
      do {
        _ = try await client.get(client.url(["users", name]), deadline: deadline, \.object)
      } catch let error as SearchError where error.code == .notFound {
        missing.append(person)
      } catch is SearchError {
        // Of a name that cannot be looked up it is not known whether it is missing.
      }
    }
    return missing
  }

  /// The actions that the server does not permit to the token, although it accepts it.
  public func restrictions(deadline: ContinuousClock.Instant) async throws -> [Note] {
    let request = SearchRequest(
      kind: .issue, query: .term(QueryTerm("forage")), pageSize: 1, deadline: deadline)
    do {
      _ = try await ask(request)
      return []
    } catch let error as SearchError where error.message.contains(GitHubErrors.missingType) {
      return [
        Note(
          .invalidQuery,
          "cannot search for issues and pull requests at once, so a search without is:issue or is:pr takes twice as many requests",
          hint: "add is:issue or is:pr to a search that needs only these", isMissing: false)
      ]
    }
  }
}
