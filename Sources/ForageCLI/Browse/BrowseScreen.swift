import Dispatch
import Forage
import ForageBrowse
import ForageCore
import ForagePlatform
import Synchronization

/// Runs the screens: one thread reads the terminal, changes the state and draws it; the effects run on
/// others.
final class BrowseScreen {
  /// The events that wait for the thread.
  final class Queue: Sendable {
    private let events = Mutex<[BrowseEvent]>([])
    private let cancelled = Atomic(false)

    func add(_ event: BrowseEvent) {
      events.withLock { $0.append(event) }
      WakePipe.shared.wake()
    }

    func take() -> [BrowseEvent] {
      events.withLock { events in
        defer { events = [] }
        return events
      }
    }

    /// Whether the program is interrupted from outside.
    var isCancelled: Bool { cancelled.load(ordering: .relaxed) }

    func cancel() {
      cancelled.store(true, ordering: .relaxed)
      WakePipe.shared.wake()
    }
  }

  private enum Ending {
    case quit(BrowseEnding)
    case signal(Int32)

    var status: ExitStatus {
      if case .quit(.done) = self { .success } else { .interrupted }
    }
  }

  private let terminal: BrowseTerminal
  private let services: BrowseServices
  private let session: BrowseSession
  private let queue: Queue
  private var state: BrowseState
  private var writer: FrameWriter
  private var decoder: KeyDecoder
  /// When a bare Esc counts as the key.
  private var escapeAt: Duration?
  private var ending: Ending?

  private init(_ services: BrowseServices, _ session: BrowseSession, _ queue: Queue) throws {
    terminal = try BrowseTerminal()
    let options = services.options
    (self.services, self.session, self.queue) = (services, session, queue)
    decoder = KeyDecoder(environment: services.context.process.environment)
    let (columns, rows) = terminal.size
    state = BrowseState(
      columns: columns, rows: rows, query: options.query, kinds: options.kinds, sort: options.sort,
      order: options.order, providers: try services.providers(), saved: try services.savedSearches(),
      showsOnlyFavorites: options.showsOnlyFavorites, actions: try services.actions(),
      isUnicode: services.context.output.isUnicode)
    writer = FrameWriter(hasColor: services.context.output.hasColor)
  }

  /// Receives the messages of the run: problems are shown on the screen.
  ///
  /// - Parameter standard: The streams of the program, also under `--quiet`.
  static func receiver(_ standard: Output, isTracing: Bool, _ queue: Queue, _ messages: CollectedText)
    -> @Sendable (String) -> Void
  {
    { text in
      // A log that goes elsewhere is written there at once.
      if !standard.isMessageTerminal { return standard.writeMessage(text) }
      messages.add(text)
      if !isTracing { for problem in BrowseProblem.read(text) { queue.add(.reported(problem)) } }
    }
  }

  /// Runs the screens until the user quits.
  ///
  /// A signal ends the program as by that signal, after the terminal is restored.
  ///
  /// - Parameters:
  ///   - messages: The messages since the start.
  ///   - original: Where results and messages go when the screens have gone.
  static func run(
    _ services: BrowseServices, _ queue: Queue, _ messages: CollectedText, _ original: Output
  ) async throws -> ExitStatus {
    let context = services.context
    let session = BrowseSession(services) { queue.add($0) }
    // An interruption from outside waits until the terminal is restored and no clone is left half.
    context.process.interruption.removesFiles = true
    defer { context.process.interruption.removesFiles = false }
    let (ending, opened) = try await withTaskCancellationHandler {
      try await OwnThreadExecutor.task {
        Result { try BrowseScreen(services, session, queue).loop() }
      }.value.get()
    } onCancel: {
      queue.cancel()
    }
    let isDone = if case .quit(.done) = ending { true } else { false }
    if isDone, session.isStarring { original.message("the last star is being sent; Ctrl-C stops that") }
    await session.end(sendsStars: isDone)
    for case .marked(_, _, _, _, let problem?) in queue.take() {
      original.problem(problem.message, hint: problem.hint)
    }
    if case .signal(let number) = ending {
      await context.close()
      BrowseTerminal.die(by: number)
    }
    if context.isTracing { original.writeMessage(messages.text) }
    if let opened { try original.result(opened) }
    return Task.isCancelled ? .interrupted : ending.status
  }

  /// Reads, changes and draws until the end.
  private func loop() -> (Ending, String?) {
    terminal.enter()
    defer { terminal.leave() }
    var effects = state.begin()
    while true {
      draw()
      for effect in effects { perform(effect) }
      effects = []
      if let ending { return (ending, state.lastOpened) }
      let deadlines = [state.deadline, escapeAt].compactMap(\.self)
      let wake = terminal.wait(deadlines.min().map { $0 - services.now })
      effects += apply(.clock(services.now))
      switch wake {
      case .input(let bytes):
        let inputs = decoder.feed(bytes)
        escapeAt = decoder.delay.map { services.now + $0 }
        for input in inputs { effects += apply(.input(input)) }
      case .signal(let number): effects += apply(signal: number)
      case .other:
        // No input waits.
        if let time = escapeAt, time <= services.now {
          escapeAt = nil
          for input in decoder.timeOut() { effects += apply(.input(input)) }
        }
      case .end: ending = .signal(SIGHUP)
      }
      for event in queue.take() { effects += apply(event) }
      if queue.isCancelled { ending = .quit(.interrupted) }
    }
  }

  private func apply(_ event: BrowseEvent) -> [BrowseEffect] { reduce(&state, event) }

  private func apply(signal number: Int32) -> [BrowseEffect] {
    switch number {
    case SIGWINCH:
      let (columns, rows) = terminal.size
      return apply(.resize(columns: columns, rows: rows))
    case SIGTSTP: return [.suspend]
    case SIGCONT:
      // Whoever stopped the program may have used the terminal.
      terminal.enter()
      return [.redraw]
    default:
      ending = .signal(number)
      return []
    }
  }

  private func draw() {
    let bytes = writer.bytes(for: state.frame())
    if !bytes.isEmpty { terminal.write(bytes) }
  }

  /// Draws everything again, after others had the terminal.
  private func redraw() {
    let (columns, rows) = terminal.size
    _ = apply(.resize(columns: columns, rows: rows))
    writer.forget()
    draw()
  }

  /// Opens a file in the editor, and waits until it ends.
  private func edit(_ place: FileLocation) {
    let (ended, editor, queue) = (DispatchSemaphore(value: 0), Editor(services.context), queue)
    _ = OwnThreadExecutor.task {
      let (message, hint) = await editor.open(place)
      queue.add(.reported(BrowseProblem(message, hint: hint)))
      ended.signal()
    }
    ended.wait()
  }

  private func act(_ action: ResultAction, _ result: SearchResult) {
    let (ended, queue) = (DispatchSemaphore(value: 0), queue)
    let wait = terminal.waitForEnter
    let runner = ActionRunner(services.context) { if action.waits { wait() } }
    _ = OwnThreadExecutor.task {
      do {
        queue.add(.reported(BrowseProblem(try await runner.run(action, on: result), hint: "r asks again")))
      } catch {
        queue.add(.reported(BrowseProblem(error)))
      }
      ended.signal()
    }
    ended.wait()
  }

  /// Asks the terminal to copy an address, and shows it: no terminal tells whether it has copied anything.
  private func copy(_ address: String) {
    let (environment, queue) = (services.forage.environmentWithoutTokens, queue)
    guard let sequence = FrameWriter.copy(address, environment) else {
      return queue.add(.reported(BrowseProblem("this terminal has no clipboard; the address is \(address)")))
    }
    terminal.write(sequence)
    let asked = BrowseProblem("asked the terminal to copy \(address)")
    guard environment["TMUX"]?.isEmpty == false else { return queue.add(.reported(asked)) }
    // As it is usually set up, tmux ignores the sequence, but not its own command.
    let (start, command) = (services.context.terminalPrograms.start, Self.tmuxCommand(copying: address))
    Task {
      let ending = await start(command, environment)
      if case .ended(isSuccess: true) = ending {
        queue.add(.reported(BrowseProblem("copied into the buffer of tmux: \(address)")))
      } else {
        queue.add(.reported(asked))
      }
    }
  }

  /// The words of the command by which tmux copies an address; without a backslash it takes a last semicolon
  /// for the end of its command.
  static func tmuxCommand(copying address: String) -> [String] {
    let isLast = address.hasSuffix(";")
    return ["tmux", "set-buffer", "-w", "--", isLast ? address.dropLast() + "\\;" : address]
  }

  private func perform(_ effect: BrowseEffect) {
    switch effect {
    case .copy(let text): copy(text)
    case .redraw:
      writer.forget()
      draw()
    case .suspend:
      terminal.suspend()
      redraw()
    case .edit(let place):
      terminal.lend { edit(place) }
      redraw()
    case .act(let action, let result):
      terminal.lend { act(action, result) }
      redraw()
    case .quit(let how): ending = .quit(how)
    default: session.perform(effect)
    }
  }
}
