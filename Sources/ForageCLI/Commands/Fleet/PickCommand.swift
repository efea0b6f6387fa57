import ArgumentParser
import Forage
import ForageBrowse
import ForageCore
import ForageFoundation
import ForageInspector
import ForagePlatform
import Synchronization

/// `forage pick`: a list that narrows while one types, for one answer.
struct PickCommand: Command {
  static let configuration = CommandConfiguration(
    commandName: "pick", _superCommandName: ForageCommand.name,
    abstract: "Pick a clone from a list, and print its path.",
    discussion: """
      Type parts of the name or the path: the list narrows, a whole name first, names before paths, what you pick often first. Enter prints the path, Esc ends with \
      status 1. From 110 columns on the branch, the state and the last commits stand beside it. Arrows, Page Up and Page Down move in the list, Ctrl-W and Ctrl-U delete what is typed. It draws on the terminal and prints on standard output.

      For a command fcd that jumps to a clone, see: forage shell-init --help

      Examples:
        cd "$(forage pick)"
        forage pick nio --select-1
        forage pick --all | xargs -r forage open

      Exit status: 0 picked, 1 nothing picked, 2 several match and there is no terminal to ask on, 130 after Ctrl-C.
      """)

  @Argument(help: "What is typed at first.")
  var words: [String] = []

  @Flag(help: "Offer favorites and stars without a clone, too.")
  var all = false

  @Flag(name: .customLong("select-1"), help: "Take a single match without asking.")
  var selectsOne = false

  @OptionGroup var common: CommonOptions

  func run(in context: Context) async throws -> ExitStatus {
    let (forage, now) = (context.forage, context.output.now)
    let uses = PickUses(forage.paths)
    let paths = PathText(home: forage.paths.home)
    let found = try await Pickable.all(forage, hasOthers: all)
    guard !found.isEmpty else {
      throw ForageError(
        "there is nothing to pick", hint: "add a folder of clones with: forage clones add DIR",
        code: .nothingFound)
    }
    let weights = uses.weights(at: now)
    let items = found.map { item in
      PickItem(
        value: item.value, name: item.name, place: paths.text(item.value), weight: weights[item.value] ?? 0)
    }
    let query = words.map { Self.typed($0, paths) }.joined(separator: " ")
    // The size means nothing without a frame.
    let state = PickState(items, query: query, columns: 80, rows: 24, isUnicode: true)
    let single = selectsOne ? state.single : nil
    let ending =
      if let single { PickEnding.picked(single) } else {
        try await PickScreen.run(items, query: query, context, without: noTerminal(state.values, query))
      }
    switch ending {
    case .picked(let value):
      uses.add(value, at: now)
      try context.output.result(verbatim: context.output.isTerminal ? SafeText.line(value) : value)
      return .success
    case .cancelled: return .nothingFound
    case .interrupted: return .interrupted
    }
  }
}

extension PickCommand {
  /// A word as the list has it: of a folder that a shell has completed, which has a slash at its end, the
  /// whole path, and the home folder as it is shown.
  private static func typed(_ word: String, _ paths: PathText) -> String {
    let isCompleted = word.hasSuffix("/") && ReferencePath.exists(word)
    return paths.text(isCompleted ? ClonePreparation.absolute(word) : word)
  }

  /// The most matches that are listed where nobody can be asked.
  private static let listed = 3

  /// The error where there is no terminal.
  private func noTerminal(_ values: [String], _ query: String) -> ForageError {
    guard selectsOne else {
      return ForageError(
        "there is no terminal to pick on", hint: "add --select-1, or use: forage clones list")
    }
    let text = query.shellQuoted
    if values.isEmpty {
      return ForageError(
        "\(text) matches nothing", hint: "see what there is: forage clones list", code: .nothingFound)
    }
    let names = values.prefix(Self.listed).joined(separator: ", ")
    return ForageError(
      values.count > Self.listed
        ? "\(text) matches \(values.count), and there is no terminal to ask on" : "\(text) matches \(names)",
      hint: "type more of the name, or the whole name")
  }
}

/// Runs the list on the terminal of the process, whatever its standard streams are.
private enum PickScreen {
  /// - Parameter error: What is wrong where there is no terminal.
  static func run(
    _ items: [PickItem], query: String, _ context: Context, without error: @autoclosure () -> ForageError
  ) async throws -> PickEnding {
    let descriptor = open("/dev/tty", O_RDWR | O_CLOEXEC)
    guard descriptor >= 0 else { throw error() }
    defer { close(descriptor) }
    let (isUnicode, hasColor) = (
      context.output.isUnicode, Output.wantsColor(context.process.environment, isTerminal: true)
    )
    // An interruption from outside waits until the terminal is restored.
    context.process.interruption.removesFiles = true
    defer { context.process.interruption.removesFiles = false }
    return try await withTaskCancellationHandler {
      try await OwnThreadExecutor.task {
        Result { () throws -> PickEnding in
          let terminal = try BrowseTerminal(
            input: descriptor, output: descriptor, hint: "add --select-1, or use: forage clones list")
          let (columns, rows) = terminal.size
          let state = PickState(items, query: query, columns: columns, rows: rows, isUnicode: isUnicode)
          let previews = PickPreviews(now: context.output.now, isUnicode: isUnicode)
          defer { previews.end() }
          return loop(
            terminal, state, FrameWriter(hasColor: hasColor),
            KeyDecoder(environment: context.process.environment), previews)
        }
      }.value.get()
    } onCancel: {
      WakePipe.shared.write(UInt8(truncatingIfNeeded: SIGINT))
    }
  }

  /// Reads, changes and draws until the end.
  private static func loop(
    _ terminal: BrowseTerminal, _ state: PickState, _ writer: FrameWriter, _ decoder: KeyDecoder,
    _ previews: PickPreviews
  ) -> PickEnding {
    var (state, writer, decoder) = (state, writer, decoder)
    // When a sequence that has begun has had its time.
    var deadline: ContinuousClock.Instant?
    terminal.enter()
    defer { terminal.leave() }
    while true {
      let previewed = state.previewed
      if let previewed, let rows = previews.rows(of: previewed) { state.show(rows, of: previewed) }
      terminal.write(writer.bytes(for: state.frame()))
      // The list does not wait for it.
      previews.begin(previewed)
      var inputs: [BrowseInput] = []
      switch terminal.wait(deadline.map { ContinuousClock.now.duration(to: $0) }) {
      case .input(let bytes):
        inputs = decoder.feed(bytes)
        deadline = decoder.delay.map { ContinuousClock.now + $0 }
      case .signal(SIGWINCH):
        let (columns, rows) = terminal.size
        state.resize(columns: columns, rows: rows)
      case .signal(SIGTSTP):
        terminal.suspend()
        writer.forget()
      case .signal(SIGCONT):
        terminal.enter()
        writer.forget()
      case .signal(SIGINT): return .interrupted
      case .signal(let number):
        terminal.leave()
        BrowseTerminal.die(by: number)
      case .other:
        // No input waits: a preview has come, or it is time.
        if let due = deadline, due <= .now { (inputs, deadline) = (decoder.timeOut(), nil) }
      case .end: return .cancelled
      }
      for input in inputs {
        if input == .key(.control("z")) {
          terminal.suspend()
          writer.forget()
        } else if let ending = state.apply(input) {
          return ending
        }
      }
    }
  }
}

/// Reads what is shown of the selected clone, one at a time, and wakes the thread that draws.
private final class PickPreviews: Sendable {
  private struct State {
    var known: [String: [FrameRow]] = [:]
    /// What is being read.
    var current: (value: String, task: Task<Void, Never>)?
  }

  private let state = Mutex(State())
  private let dates: FactSheet.Dates
  private let isUnicode: Bool

  init(now: Date, isUnicode: Bool) { (dates, self.isUnicode) = (.ages(now), isUnicode) }

  /// The rows for an item; `nil` where they are not known yet.
  func rows(of value: String) -> [FrameRow]? { state.withLock { $0.known[value] } }

  /// Begins to read an item, and ends with another one.
  ///
  /// - Parameter value: The path of a clone, or an address, of which nothing is known; `nil` for no item.
  func begin(_ value: String?) {
    state.withLock { state in
      guard state.current?.value != value else { return }
      state.current?.task.cancel()
      state.current = nil
      guard let value, value.hasPrefix("/"), state.known[value] == nil else { return }
      let task = Task { [self] in
        let rows: [FrameRow]
        do {
          rows = self.rows(try await ClonePreview.of(value))
        } catch let error {
          guard !Task.isCancelled else { return }
          rows = [FrameRow((error as? ForageError)?.message ?? "it cannot be read", .error)]
        }
        self.state.withLock { $0.known[value] = rows }
        WakePipe.shared.wake()
      }
      state.current = (value, task)
    }
  }

  func end() { begin(nil) }

  private func rows(_ preview: ClonePreview) -> [FrameRow] {
    let row = CloneRow(preview.report)
    let distance = CloneRow.distance(preview.report, isUnicode: isUnicode)
    let state = [
      preview.report.operation, preview.report.status.map(CloneRow.dirt),
      preview.report.stashes.flatMap { $0 > 0 ? HumanFormat.plural($0, "stash", "stashes") : nil },
    ].compactMap(\.self)
    var rows = [FrameRow(row.branch ?? "", .good)]
    if let distance { rows[0].add("  " + distance, .mark) }
    rows.append(FrameRow(state.joined(separator: ", ")))
    if let fetched = preview.report.lastFetchAt {
      rows.append(FrameRow("fetched \(dates.text(fetched))", .dim))
    }
    rows.append(FrameRow())
    let ages = preview.commits.map { dates.text($0.date) }
    let widest = ages.map(TextWidth.of).max() ?? 0
    for (commit, age) in zip(preview.commits, ages) {
      var row = FrameRow()
      row.add(age, .dim, width: widest, alignsRight: true)
      row.add("  " + commit.subject)
      rows.append(row)
    }
    return rows
  }
}
