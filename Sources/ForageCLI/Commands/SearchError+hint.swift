import Forage
import ForageCore
import ForagePlatform

// What to do about an error, with the options and commands of this program. Core and providers know none of
// them.

extension SearchError {
  /// What to do in a command that takes `--timeout`.
  var advice: String { advice(hasTimeLimit: true) }

  /// What to do.
  ///
  /// - Parameter hasTimeLimit: Whether the command takes `--timeout`.
  func advice(hasTimeLimit: Bool) -> String {
    switch code {
    case .configuration:
      if let subject { return "review it, then run: forage plugin trust \(subject)" }
    case .timeout where hint.isEmpty && !hasTimeLimit:
      return "check the network connection, or try again in a moment"
    case .rateLimited where hasTimeLimit:
      let seconds = (retryAfterMilliseconds ?? 0) / 1000
      return Self.waitable.contains(seconds)
        ? hint + ", or wait with --timeout \(seconds + Self.room)" : hint
    default: break
    }
    return hint.isEmpty ? adviceByCode : hint
  }

  private var adviceByCode: String {
    switch code {
    case .timeout, .incompleteSearch: "allow more time with --timeout SECONDS"
    case .offline: "run without --offline to contact it"
    case .invalidCursor: "search again"
    case .unsupportedQuery: "change the query, or choose other providers with --provider"
    case .nothingToAsk: "choose other providers with --provider"
    case .requestLimit: "start again with a larger --max-requests"
    case .unauthorized: "set another token, or test this one with: forage auth status"
    case .connectionLost, .unavailable: "add --verbose to see its standard error"
    case .cancelled: "run the command again"
    case .invalidResponse: Remedy.traceRequests.advice
    default: "add --verbose to see its requests"
    }
  }

  /// The range of seconds for which the program's waiting for a limit is suggested.
  private static let waitable = 1...600
  /// Seconds added to the limit's end in the suggested time limit, for the response itself.
  private static let room = 10

  /// Whether an error of a change concerns one thing alone, so that the next one is tried.
  private var concernsOne: Bool { [.notFound, .forbidden, .invalidQuery, .unavailable].contains(code) }

  /// Tells what is left out after an error that concerns more than one thing, of changes one after the other.
  ///
  /// - Parameter names: What was to be changed.
  /// - Returns: Whether to go on with the next one.
  func goesOn(after index: Int, of names: [String], _ output: Output) -> Bool {
    guard index + 1 < names.count, !concernsOne else { return true }
    output.problem(
      "not tried: " + names[(index + 1)...].joined(separator: ", "),
      hint: "fix the error above, then run it again with these and \(names[index])")
    return false
  }

  /// What to do after a star was changed.
  var adviceForStar: String {
    subject.map { "check with: forage stars repo:\($0); the command can be repeated safely" } ?? advice
  }
}

extension ForageError {
  var advice: String { remedy?.advice ?? hint }

  /// Any error with what to do in this program as its hint; `nil` as from ``init(describing:)``.
  init?(advising error: any Error) {
    self.init(describing: error)
    (hint, remedy) = ((error as? SearchError)?.advice ?? advice, nil)
  }
}

extension Remedy {
  /// What to do, with the options and commands of this program.
  var advice: String {
    switch self {
    case .addClone(let path): "add it with: forage clones add \(path.shellQuoted)"
    case .addCloneFolder: text + " with: forage clones add DIR"
    case .addFavorite: "add one with: forage favorite add owner/name"
    case .allowSecret: "to allow it for this run, add --yes"
    case .allowTime: "allow more time with --timeout SECONDS"
    case .askAgain: "to refresh it, run again later"
    case .checkAccess: text + " (see: forage auth status)"
    case .chooseProvider(let ids):
      "name one with --provider (\(ids.joined(separator: ", "))), or enable one with: forage providers enable ID"
    case .clone(let reference): "clone it with: forage clone \(reference.shellQuoted)"
    case .diagnose: "see the messages above, or run: forage doctor"
    case .enableForge(let id): "forage providers enable \(id)"
    case .enableProvider: "name one with --provider, or enable one with: forage providers enable ID"
    case .fixClone: text + ", then run: forage clones scan"
    case .indexCode: "run: forage clones index"
    case .installManifest: text + " with: forage plugin install FILE"
    case .installProvider:
      "install it with: forage plugin install PATH, or remove the line; for a server add type and url"
    case .listCatalogue: "see: forage clones list"
    case .listClones: "see why with: forage clones list"
    case .listPlugins: "see: forage plugin list"
    case .listProviders: "see: forage providers"
    case .listSections: "see: forage inspect --list-sections"
    case .nameIssue(let number): "print a list first, or write '#\(number)' for the issue of this clone"
    case .printList: text + ", for example with: forage search QUERY"
    case .removeCloneFolder(let path): "remove it with: forage clones remove \(path.shellQuoted)"
    case .repairClone: "run git fsck in it, or clone it again, then run: forage clones scan"
    case .scanClones: "run: forage clones scan"
    case .traceRequests: "--verbose prints the reason"
    case .useGit: text
    case .waitForLimit: "wait, or search with a --timeout beyond its end"
    case .writeQuery:
      "write what to look for, for example: forage search \"http client language:swift\"; without a query: forage feed"
    }
  }
}

extension ProviderOutcome {
  /// What to do about the error; empty without one.
  var advice: String { advice(callingIssues: ResultKind.issue.rawValue) }

  /// The same with another name for the kind `issue`.
  func advice(callingIssues name: String) -> String {
    switch state {
    case .unsupported where isInClones:
      "clone its repositories with forage clone --owner NAME, run forage clones index, and search them with --provider local"
    // Only of a feed the provider may have no kind at all.
    case .unsupported where lacksKind && error?.hint.isEmpty == true:
      "search it with: forage search -p \(id) QUERY"
    case .unsupported where !otherKinds.isEmpty:
      "leave it out, or use -k \(otherKinds.map { $0 == .issue ? name : $0.rawValue }.joined(separator: ","))"
    case .skipped where id == BuiltInProvider.clonesID: "add them with: forage clones add DIR"
    default: error?.advice ?? ""
    }
  }
}

extension Note {
  /// What to do, with the options and commands of this program.
  var advice: String {
    switch code {
    case .requestsExceeded: "allow more with --max-requests" + (hint.isEmpty ? "" : " (\(hint))")
    case .sortApproximate: hint + ", with --provider"
    case .stale where !hint.isEmpty: Remedy.askAgain.advice
    case .invalidResponse where hint.isEmpty: Remedy.traceRequests.advice
    default: hint
    }
  }
}

extension ProviderOutcome {
  /// The same with the advice of this program as hints, for documents.
  var advised: ProviderOutcome {
    var outcome = self
    if let error { outcome.error?.hint = error.advice }
    for index in notes.indices { outcome.notes[index].hint = notes[index].advice }
    return outcome
  }
}
