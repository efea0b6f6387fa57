import ForageCore
import ForageGit
import ForageHTTP
import ForagePlatform
import Yams

/// The programs that may know a token: `gh` and git's credential helpers.
///
/// A program is started only where it can know a token, because that takes longer than a search: `gh` where
/// its hosts file names the host, git where a credential helper is configured.
struct TokenPrograms: Sendable {
  /// The variables by which a repository's own settings reach git.
  private static let repositoryVariables = GitCommand.repositoryVariables.union([
    "GIT_CONFIG", "GIT_CONFIG_COUNT", "GIT_CONFIG_PARAMETERS",
  ])
  /// The names of the programs as sources.
  private static let (gh, git) = ("gh auth token", "git credential fill")

  /// The variables of this process.
  let variables: [String: String]
  let child: ChildProcess

  /// Asks one after the other until one knows the token.
  ///
  /// - Parameters:
  ///   - isSecret: Whether a variable holds a secret, which the programs do not get.
  ///   - finding: Gets the token, and what was asked.
  func ask(
    for forge: ForgeAddress, hiding isSecret: (String) -> Bool, _ finding: inout TokenFinder.Finding
  ) async {
    let environment = environment(hiding: isSecret)
    if let reason = reasonAgainstGH(forge) {
      finding.skipped.append(TokenFinder.Skipped(source: Self.gh, reason: reason))
    } else {
      finding.tried.append(Self.gh)
      let answer = await child.output("gh", ["auth", "token", "--hostname", forge.host], "", environment)
      finding.token = HeaderToken.usable(answer.text).map { ForgeToken(secret: $0, source: Self.gh) }
      if finding.token != nil { return }
      if answer == .late { finding.skipped.append(.late(Self.gh)) }
    }
    await askGit(forge.api.scheme, forge.host, environment, &finding)
  }

  /// Asks git's credential helpers alone.
  ///
  /// - Parameters:
  ///   - scheme: That of the address that the account is for, in which the host has a port unless it is the
  ///     usual one.
  ///   - isSecret: Whether a variable holds a secret, which the programs do not get.
  func askGit(_ scheme: String, _ host: String, hiding isSecret: (String) -> Bool) async
    -> TokenFinder.Finding
  {
    var finding = TokenFinder.Finding()
    await askGit(scheme, host, environment(hiding: isSecret), &finding)
    return finding
  }

  private func askGit(
    _ scheme: String, _ host: String, _ environment: [String: String], _ finding: inout TokenFinder.Finding
  ) async {
    if let reason = reasonAgainstGit(host) {
      finding.skipped.append(TokenFinder.Skipped(source: Self.git, reason: reason))
      return
    }
    finding.tried.append(Self.git)
    let answer = await fill(scheme, host, environment)
    finding.token = HeaderToken.usable(Self.value("password", in: answer.text)).map {
      ForgeToken(secret: $0, source: Self.git)
    }
    finding.user = Self.value("username", in: answer.text)
    if answer == .late {
      finding.skipped.append(.late(Self.git, because: helper(for: host).map { "; it asked \($0)" } ?? ""))
    }
  }

  /// Why `gh` cannot know a token for a host; `nil` when it can.
  private func reasonAgainstGH(_ forge: ForgeAddress) -> String? {
    let hosts = GitHubCLIHosts(environment: variables)
    guard hosts.name(forge.host) else {
      return "\(hosts.path ?? "its hosts file") does not name \(forge.host)"
    }
    return child.path("gh", variables) == nil ? "gh is not installed" : nil
  }

  /// Why git cannot know a token for a host; `nil` when it can.
  private func reasonAgainstGit(_ host: String) -> String? {
    if child.path("git", variables) == nil { return "git is not installed" }
    return helper(for: host) == nil ? "no credential helper is configured for \(host)" : nil
  }

  /// The helper that git asks first for a host, in words; `nil` if it asks none.
  private func helper(for host: String) -> String? {
    guard let git = child.path("git", variables) else { return nil }
    return GitCredentialHelpers(environment: variables, git: git).helper(for: Self.withoutPort(host))
  }

  /// A host without its port; the colons of an IPv6 address are in brackets.
  private static func withoutPort(_ host: String) -> String {
    guard let colon = host.lastIndex(of: ":"), !host[colon...].contains("]") else { return host }
    return String(host[..<colon])
  }

  private func environment(hiding isSecret: (String) -> Bool) -> [String: String] {
    // The current folder must not decide which helper runs: the child starts in the root folder, without the
    // variables that name a repository or contain settings.
    variables.filter { name, _ in
      !isSecret(name) && !Self.repositoryVariables.contains(name)
        && !name.hasPrefix("GIT_CONFIG_KEY_") && !name.hasPrefix("GIT_CONFIG_VALUE_")
    }
  }

  private func fill(_ scheme: String, _ host: String, _ environment: [String: String]) async -> ChildOutput {
    // The user is not asked: a helper knows the password, or there is none.
    let variables = environment.merging(GitCommand.nobodyIsAsked) { _, new in new }
    let request = "protocol=\(scheme)\nhost=\(host)\n\n"
    return await child.output("git", ["credential", "fill"], request, variables)
  }

  private static func value(_ name: String, in answer: String?) -> String? {
    let line = (answer ?? "").split(separator: "\n").first { $0.hasPrefix(name + "=") }
    return line.map { String($0.dropFirst(name.utf8.count + 1)) }
  }
}

/// Whether git's configuration names a credential helper, without which `git credential fill` knows no
/// password.
///
/// It reads the few files that apply outside of a repository, line by line. libgit2 reads them as well, but
/// initialising it takes longer (8 to 10 ms) than a search may. What is not understood counts as a helper:
/// git is then started, and decides.
package struct GitCredentialHelpers: Sendable {
  /// The most bytes of a file that are read.
  private static let fileLimit = 1 << 20
  /// The most files that include each other; git has the same limit.
  private static let includeLimit = 10

  /// The files, in git's order.
  package let paths: [String]
  private let home: String?

  /// Finds the files as git does.
  ///
  /// - Parameter git: The path of the git program, beside which the system's configuration may be.
  package init(environment: [String: String], git: String) {
    func value(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
    home = value("HOME")
    var paths: [String] = []
    let isWithoutSystem = !["", "0", "false", "no", "off"].contains(
      (environment["GIT_CONFIG_NOSYSTEM"] ?? "").lowercased())
    if isWithoutSystem {
      // The system's configuration is switched off.
    } else if let path = value("GIT_CONFIG_SYSTEM") {
      paths.append(path)
    } else {
      paths += Self.systemFiles(of: git)
    }
    if let path = environment["GIT_CONFIG_GLOBAL"] {
      if !path.isEmpty { paths.append(path) }
    } else {
      if let folder = value("XDG_CONFIG_HOME") ?? home.map({ $0 + "/.config" }) {
        paths.append(folder + "/git/config")
      }
      if let home { paths.append(home + "/.gitconfig") }
    }
    self.paths = paths
  }

  /// `/etc/gitconfig`, and `etc/gitconfig` below the prefix where git is installed; Apple's git has a file of
  /// its own.
  private static func systemFiles(of git: String) -> [String] {
    var files = ["/etc/gitconfig"]
    for program in [git] + (realPath(git).map { [$0] } ?? []) {
      let prefix = FileAccess.parent(of: FileAccess.parent(of: program))
      if prefix != "/", prefix != "/usr" { files.append(prefix + "/etc/gitconfig") }
    }
    return files + developerFolders.map { $0 + "/usr/share/git-core/gitconfig" }
  }

  /// The first helper that is configured for a host, in words.
  ///
  /// Only a first word that is the name of a program is told, because anything else can be a secret.
  ///
  /// - Parameter host: Without its port.
  package func helper(for host: String) -> String? {
    paths.lazy.compactMap { helper(in: $0, for: host, depth: 0) }.first
  }

  private func helper(in path: String, for host: String, depth: Int) -> String? {
    guard depth <= Self.includeLimit, let bytes = try? FileAccess.read(path, limit: Self.fileLimit) else {
      return nil
    }
    let unknown = "a credential helper of \(path)"
    // The head of the section in lower case, without its brackets: `name "subsection"`, or the old form
    // `name.subsection`.
    var section = ""
    let isEnd = { (character: Character) in character == "\n" || character == "\r\n" }
    var lines = String(decoding: bytes, as: UTF8.self)
      .split(omittingEmptySubsequences: false, whereSeparator: isEnd)[...]
    while let line = lines.popFirst() {
      var rest = line.trimmingPrefix { $0.isWhitespace || $0 == "\u{FEFF}" }
      if rest.first == "[" {
        guard let end = Self.end(ofHead: rest) else { return unknown }
        section = String(rest[rest.index(after: rest.startIndex)..<end]).lowercased().trimmingWhitespace()
        rest = rest[rest.index(after: end)...].trimmingPrefix(while: \.isWhitespace)
      }
      guard let equals = rest.firstIndex(of: "="), rest.first != "#", rest.first != ";" else { continue }
      let name = rest[..<equals].filter { !$0.isWhitespace }.lowercased()
      let value = Self.value(rest[rest.index(after: equals)...], &lines)
      guard !value.isEmpty else { continue }
      let kind = section.prefix(while: \.isLetter)
      switch (kind, name) {
      case ("credential", "helper") where Self.applies(section.dropFirst(kind.count), to: host):
        let word = value.prefix { !$0.isWhitespace }
        return Self.isName(word) ? "the credential helper \(word) of \(path)" : unknown
      // The home of another user, or the folder of git itself.
      case ("include", "path") where Self.isBeyondHome(value): return unknown
      case ("include", "path"):
        if let found = helper(in: resolved(value, in: path), for: host, depth: depth + 1) { return found }
      // The other conditions are on a repository or its branch, and git is started outside of any.
      case ("includeif", "path") where section.contains("hasconfig:"): return unknown
      default: break
      }
    }
    return nil
  }

  /// The value of a variable, without quotes and comment. After a backslash at the end of a line it goes on in
  /// the next one.
  private static func value(_ text: Substring, _ lines: inout ArraySlice<Substring>) -> String {
    var result = ""
    var isQuoted = false
    var rest = text
    while let character = rest.popFirst() {
      switch character {
      case "\\":
        switch rest.popFirst() {
        case nil: rest = lines.popFirst() ?? ""
        case "n": result.append("\n")
        case "t": result.append("\t")
        case let escaped?: result.append(escaped)
        }
      case "\"": isQuoted.toggle()
      case "#" where !isQuoted, ";" where !isQuoted: return result.trimmingWhitespace()
      default: result.append(character)
      }
    }
    return result.trimmingWhitespace()
  }

  /// Whether a word of a command is the name or path of a program, and nothing for a shell.
  private static func isName(_ word: Substring) -> Bool {
    word.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "_./-".contains($0)) }
  }

  private static func isBeyondHome(_ path: String) -> Bool {
    path.hasPrefix("~") && !path.hasPrefix("~/") || path.hasPrefix("%(prefix)/")
  }

  private func resolved(_ path: String, in file: String) -> String {
    if path.hasPrefix("~/"), let home { return home + path.dropFirst() }
    return path.hasPrefix("/") ? path : FileAccess.parent(of: file) + "/" + path
  }

  /// The closing bracket of the head of a section, which may stand within quotes before; `nil` where there is
  /// none.
  private static func end(ofHead text: Substring) -> Substring.Index? {
    var isQuoted = false
    return text.indices.first { index in
      if text[index] == "\"" { isQuoted.toggle() }
      return text[index] == "]" && !isQuoted
    }
  }

  /// Whether a subsection can be for a host: it names none, that one, or a pattern.
  private static func applies(_ subsection: Substring, to host: String) -> Bool {
    let pattern = subsection.filter { !$0.isWhitespace && $0 != "\"" }
    return pattern.isEmpty || pattern.contains("*") || pattern.contains(host.lowercased())
  }
}

/// The hosts for which GitHub's program `gh` has a token.
package struct GitHubCLIHosts: Sendable {
  /// The most bytes of the file that are read: it has a few lines for each host.
  private static let fileLimit = 1 << 20

  /// The file in which `gh` lists its hosts, also where it keeps their tokens in the platform's keychain;
  /// `nil` without a home.
  package let path: String?

  /// Finds the file as `gh` does.
  package init(environment: [String: String]) {
    func folder(_ name: String, _ suffix: String) -> String? {
      environment[name].flatMap { $0.isEmpty ? nil : $0 + suffix }
    }
    path = (folder("GH_CONFIG_DIR", "") ?? folder("XDG_CONFIG_HOME", "/gh") ?? folder("HOME", "/.config/gh"))
      .map {
        $0 + "/hosts.yml"
      }
  }

  /// Whether the file names a host; one that is not understood may name any.
  package func name(_ host: String) -> Bool {
    guard let path, let bytes = try? FileAccess.read(path, limit: Self.fileLimit) else { return false }
    do {
      let hosts = try Yams.compose(yaml: String(decoding: bytes, as: UTF8.self))?.mapping
      return hosts?.keys.contains { $0.scalar?.string.lowercased() == host.lowercased() } ?? false
    } catch {
      return true
    }
  }
}

/// The outcome of a helper program.
package enum ChildOutput: Sendable, Hashable {
  /// Its standard output.
  case text(String)
  /// It is not there, or failed.
  case failed
  /// It did not end within the time limit.
  case late

  var text: String? { if case .text(let text) = self { text } else { nil } }
}

extension TokenFinder.Skipped {
  /// A program that did not answer in time.
  static func late(_ source: String, because cause: String = "") -> Self {
    let limit = ChildProcess.limit / .seconds(1)
    return Self(source: source, reason: "did not answer within \(Int(limit)) s" + cause, isFault: true)
  }
}

/// Finds and runs helper programs; a struct of closures, which tests replace.
package struct ChildProcess: Sendable {
  /// The path of a program in `PATH`, `nil` when it is not there.
  package var path: @Sendable (_ name: String, _ environment: [String: String]) -> String?
  /// Runs a program found in `PATH`.
  ///
  /// It gets the name, the arguments, the standard input and the environment.
  package var output:
    @Sendable (_ name: String, _ arguments: [String], _ input: String, _ environment: [String: String]) async
      -> ChildOutput

  /// The time limit of a helper, which only looks something up.
  package static let limit: Duration = .seconds(3)
  /// The most bytes of output: more than any token or list of fields.
  private static let outputLimit = 64 << 10

  /// Runs real programs and reports each run.
  package static func live(_ report: @escaping @Sendable (_ line: String) -> Void) -> ChildProcess {
    let output: @Sendable (String, [String], String, [String: String]) async -> ChildOutput = {
      name, arguments, input, environment in
      let start = ContinuousClock.now
      let result = await run(name, arguments, input, environment)
      let outcome = result == .late ? "too late" : result == .failed ? "failed" : "ok"
      report(
        "\(([name] + arguments).joined(separator: " ")): \(outcome), \(HumanFormat.duration(ContinuousClock.now - start))"
      )
      return result
    }
    return ChildProcess(path: { programPath($0, environment: $1) }, output: output)
  }

  private static func run(
    _ name: String, _ arguments: [String], _ input: String, _ environment: [String: String]
  ) async -> ChildOutput {
    guard let program = programPath(name, environment: environment) else { return .failed }
    // In a session of its own it cannot ask on the terminal of this program, or of the one that started it.
    let launch = ChildLaunch(
      program, arguments, environment: environment, folder: "/", group: .session, output: .pipe)
    let result = try? await ChildProgram.run(
      launch, input: input, outputLimit: outputLimit, timeLimit: limit)
    guard let result, result.isSuccess else { return result?.stop == .late ? .late : .failed }
    return .text(String(decoding: result.output, as: UTF8.self))
  }
}
