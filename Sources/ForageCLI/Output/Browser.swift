import Forage
import ForageCore
import ForagePlatform

/// Opens pages in the user's browser.
struct Browser: Sendable {
  /// The most pages that one command opens.
  static let maximumPages = 10

  /// The browsers that show pages on the terminal.
  private static let terminalBrowsers: Set<Substring> = [
    "w3m", "lynx", "links", "links2", "elinks", "www-browser", "browsh", "carbonyl", "cha",
  ]
  /// The programs that start one of these where there is no display.
  private static let openers: Set<Substring> = ["xdg-open", "sensible-browser"]
  private static let hint = "set BROWSER to the command that opens pages"

  let environment: [String: String]
  let program: TerminalProgram
  /// Whether a browser can have the terminal.
  let hasTerminal: Bool
  /// Takes a line about each program that was started.
  var trace: @Sendable (String) -> Void = { _ in }

  /// Opens pages; addresses for which there is no way are written as results, with a warning, so that nothing
  /// is lost.
  ///
  /// - Parameter addresses: The addresses, at least one.
  /// - Throws: `ForageError` for an address that is none of the web, and where the browser of the user fails;
  ///   as `Output.writeResult`.
  func open(_ addresses: [String], output: Output) async throws {
    let pages = try addresses.map { (address: $0, commands: try commands($0)) }
    var openers: [[String]?] = []
    if pages[0].commands.contains(where: needsTerminal) {
      // One has the terminal at a time.
      for page in pages { openers.append(await start(page.commands, page.address)) }
    } else {
      let first = Task { await start(pages[0].commands, pages[0].address) }
      // A browser that is just starting takes further pages only when it runs.
      await Self.wait(for: first, atMost: Self.startingTime)
      let rest = await concurrently(Array(pages.dropFirst())) { page in
        await start(page.commands, page.address)
      }
      openers = await [first.value] + rest
    }
    try Task.checkCancellation()
    var missing = 0
    for (page, opener) in zip(pages, openers) {
      if opener != nil {
        output.message("opened \(page.address)")
      } else {
        missing += 1
        try output.result(page.address)
      }
    }
    guard missing > 0 else { return }
    if let failure { throw failure }
    output.warning(
      "no browser could be started for \(missing == 1 ? "this page" : "\(missing) pages")", hint: Self.hint)
  }

  /// How long a browser may take to start.
  private static let startingTime: Duration = .milliseconds(300)

  /// Waits until a task ends, at most for a time; the task goes on. It ends with the caller.
  private static func wait<Value>(for task: Task<Value, Never>, atMost time: Duration) async {
    let (ends, end) = AsyncStream<Void>.makeStream()
    Task {
      _ = await task.value
      end.yield()
    }
    Task {
      try? await Task.sleep(for: time)
      end.yield()
    }
    await withTaskCancellationHandler {
      for await _ in ends { break }
    } onCancel: {
      task.cancel()
    }
  }

  /// What to say where the browser of the user fails; `nil` where none is named.
  var failure: ForageError? {
    guard let commands = try? Self.chosen(environment), !commands.isEmpty else { return nil }
    let browser = "BROWSER (\(environment["BROWSER"] ?? ""))"
    return !hasTerminal && commands.allSatisfy(needsTerminal)
      ? ForageError(
        "\(browser) needs the terminal",
        hint: "run it on a terminal, or set BROWSER to a browser with a window of its own")
      : ForageError("\(browser) failed", hint: Self.hint)
  }

  /// Whether a command shows pages on the terminal.
  private func needsTerminal(_ words: [String]) -> Bool {
    let name = words[0][...].slashSeparated().last ?? ""
    let hasDisplay = ["DISPLAY", "WAYLAND_DISPLAY"].contains { environment[$0]?.isEmpty == false }
    return Self.terminalBrowsers.contains(name) || !hasDisplay && Self.openers.contains(name)
  }

  /// Opens an address.
  ///
  /// - Returns: `false` where there is no way to open it.
  /// - Throws: `ForageError` for an address that is none of the web, and for quotes in `BROWSER` that are not
  ///   closed.
  func open(_ address: String) async throws -> Bool { await start(try commands(address), address) != nil }

  /// The commands to try for a page.
  private func commands(_ address: String) throws(ForageError) -> [[String]] {
    try Self.check(address)
    return try Self.commands(address, environment: environment)
  }

  /// Tries commands in their order.
  ///
  /// - Returns: The one that has opened the address.
  private func start(_ commands: [[String]], _ address: String) async -> [String]? {
    // An interrupted command starts no program.
    for words in commands where !Task.isCancelled {
      let start = ContinuousClock.now
      let ending =
        if !needsTerminal(words) {
          await program.start(words, environment)
        } else if hasTerminal {
          await program.run(words, nil, environment)
        } else {
          TerminalProgram.Ending.notStarted
        }
      let (isOpened, outcome) =
        switch ending {
        case .ended(let isSuccess): (isSuccess, isSuccess ? "ok" : "failed")
        case .notStarted: (false, "not started")
        }
      trace("\(words[0]) \(address): \(outcome), \(HumanFormat.duration(.now - start))")
      if isOpened { return words }
    }
    return nil
  }

  /// The commands to try, in order: those of `BROWSER`, with `%s` for the address; where it names none, that
  /// of the system.
  ///
  /// - Throws: `ForageError` for quotes that are not closed.
  static func commands(_ address: String, environment: [String: String]) throws(ForageError) -> [[String]] {
    let own = try chosen(environment).map { words in
      words.contains { $0.contains("%s") }
        ? words.map { $0.replacing("%s", with: address) } : words + [address]
    }
    return own.isEmpty ? [[addressOpener, address]] : own
  }

  /// The words of the commands in `BROWSER`, parted by colons.
  private static func chosen(_ environment: [String: String]) throws(ForageError) -> [[String]] {
    try ShellWords.commands(environment["BROWSER"] ?? "", of: "BROWSER", separator: ":")
      .filter { !$0.isEmpty }
  }
}

extension Browser {
  /// - Throws: `ForageError` for more pages than one command opens.
  static func check(_ count: Int) throws {
    guard count <= maximumPages else {
      throw ForageError(
        "\(count) pages are too many to open at once", hint: "open at most \(maximumPages) with one command")
    }
  }

  /// - Throws: `ForageError` for an address that is none of the web.
  static func check(_ address: String) throws(ForageError) {
    guard !WebAddress.isSafe(address) else { return }
    throw ForageError(
      "\(address) is not the address of a page", hint: "look at the result with --format json",
      code: .nothingFound)
  }

  /// The browser of a command's user.
  init(_ context: Context) {
    self.init(
      environment: context.forage.environmentWithoutTokens, program: context.terminalPrograms,
      hasTerminal: context.output.isTerminal && context.input.isTerminal)
    trace = { [forage = context.forage] in forage.reporter.trace?($0) }
  }
}

extension Context {
  /// Opens the web pages of things that a command line names; of a file on this disk only the page of the
  /// very commit, otherwise the file in the editor.
  ///
  /// What has neither is reported and stops no other.
  ///
  /// - Throws: `ForageError`, before anything is opened, for too many, and where the browser or the editor
  ///   fails.
  func openPages(of references: [ResolvedReference]) async throws -> ExitStatus {
    try Browser.check(references.count)
    var pages: [String] = []
    let status = try await each(references) { reference in
      if let place = reference.result?.fileToOpen, reference.isThere {
        try await edit(place)
      } else {
        let page = try address(of: reference)
        try Browser.check(page)
        pages.append(page)
      }
    }
    if !pages.isEmpty { try await Browser(self).open(pages, output: output) }
    return status
  }

  /// Opens files on this disk at their lines, and clones, in the editor; what is not on this disk is reported
  /// and stops no other.
  ///
  /// - Parameter forPage: How the page of what is not on this disk is opened.
  /// - Throws: `ForageError`, before anything is opened, for too many, and where the editor fails.
  func edit(
    _ references: [ResolvedReference], _ reader: ReferenceReader,
    forPage: String = "leave --editor out to open its page"
  ) async throws -> ExitStatus {
    try Browser.check(references.count)
    return try await each(references) { reference in
      let hasPage = reference.pageAddress != nil
      var place = reference.result?.fileLocation
      if place == nil, reference.kind == .repo {
        place = await reader.clonePath(of: reference).map { FileLocation(path: $0) }
      }
      guard let place else {
        throw reference.result?[.file] == nil
          ? ForageError(
            "\(reference.title) is not on this disk", hint: hasPage ? forPage : "clone it first",
            code: .nothingFound)
          : ForageError(
            "the name of \(reference.title) is not UTF-8, so no editor can be started for it",
            hint: "rename the file", code: .nothingFound)
      }
      guard reference.kind == .repo ? ReferencePath.exists(place.path) : reference.isThere else {
        throw ForageError(
          "\(place.path) is no longer there", hint: "search again" + (hasPage ? ", or \(forPage)" : ""),
          code: .nothingFound)
      }
      try await edit(place)
    }
  }

  private func edit(_ place: FileLocation) async throws {
    try await Editor(self).open(place, output: output, hasTerminal: output.isTerminal && input.isTerminal)
  }

  /// Does something with each reference, and reports where there is nothing to do it with.
  private func each(
    _ references: [ResolvedReference], _ open: (ResolvedReference) async throws -> Void
  ) async throws -> ExitStatus {
    var failures = 0
    for reference in references {
      do { try await open(reference) } catch let error as ForageError where error.code == .nothingFound {
        failures += 1
        output.problem(error.message, hint: error.advice)
      }
    }
    if failures == 0 { return .success }
    return failures < references.count ? .partial : .nothingFound
  }

  /// Opens the pages on which forges show a search.
  ///
  /// - Throws: `ForageError` for too many, and where the browser fails.
  func open(_ pages: [String]) async throws -> ExitStatus {
    try Browser.check(pages.count)
    try await Browser(self).open(pages, output: output)
    return .success
  }

  private func address(of reference: ResolvedReference) throws -> String {
    if let address = reference.pageAddress { return address }
    throw ForageError(
      "\(reference.title) has no page",
      hint: reference.path.map { "it has no remote on a forge; see: forage inspect \($0.shellQuoted)" }
        ?? "see: forage show \(reference.text.shellQuoted)",
      code: .nothingFound)
  }
}

/// Checks addresses from outside that are opened in a browser or written as links.
enum WebAddress {
  /// The length at which browsers cut addresses.
  private static let maximumLength = 2048

  /// Whether a word of a page is broken where it is too long: an address is not, so that it can be clicked
  /// and copied.
  static func canBeBroken(_ word: Substring) -> Bool { !isSafe(String(word)) }

  /// Whether an address is of the web and has no character that a program could misread.
  static func isSafe(_ address: String) -> Bool {
    guard address.utf8.count <= maximumLength else { return false }
    let lowered = address.prefix(8).lowercased()
    guard lowered.hasPrefix("https://") || lowered.hasPrefix("http://") else { return false }
    return address.unicodeScalars.allSatisfy { scalar in
      scalar.value > 32 && scalar.value != 127 && !"\"'`".unicodeScalars.contains(scalar)
        && !SafeText.isDangerous(scalar)
    }
  }
}
