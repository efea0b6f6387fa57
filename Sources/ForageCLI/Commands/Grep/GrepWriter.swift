import Forage
import ForageCore
import Synchronization

/// How the files of `forage grep` are written.
struct GrepStyle: Sendable {
  enum Layout: Sendable {
    /// `path:line:column:text`.
    case rows
    /// The path above its lines.
    case headings
    case names, counts, json
    /// Whether there is a match is all that is wanted.
    case nothing
  }

  var layout = Layout.rows
  /// Whether matching lines have columns.
  var hasColumns = false
  /// Whether each match has a row of its own.
  var rowPerMatch = false
  /// Whether matches are written without the rest of their lines.
  var onlyMatching = false
  /// Whether groups of lines are separated.
  var hasGroups = false
  /// Whether matches are coloured.
  var marksMatches = false
  /// Whether files have numbers, under which they are kept.
  var isNumbered = false
  /// Whether these numbers are shown.
  var showsNumbers = true
  /// The host that a name without one means.
  var bareHost = BuiltInProvider.usualHost
}

/// Writes the files that a search finds, as they come.
final class GrepWriter: Sendable {
  /// In a pipe this much is written at once, or what there is after some time.
  private static let bufferSize = 1 << 15
  private static let bufferTime = Duration.milliseconds(100)

  private struct State {
    var buffer: [UInt8] = []
    var writtenAt = ContinuousClock.now
    var count = 0
    /// The files for later commands, or for JSON.
    var results: [SearchResult] = []
    var wait: StatusDisplay.Entry?
  }

  let style: GrepStyle
  private let context: Context
  private let rendering: GrepRendering
  /// What a pager shows.
  private let collected: CollectedText?
  private let start = ContinuousClock.now
  private let state = Mutex(State())

  init(_ style: GrepStyle, _ context: Context) {
    self.style = style
    self.context = context
    rendering = GrepRendering(style, context.output, home: context.forage.paths.home)
    collected = style.layout == .json ? nil : context.collectedForPager
    let wait =
      style.layout == .nothing ? nil : context.output.showStatus { [StatusDisplay.Row(text: "searching")] }
    state.withLock { $0.wait = wait }
  }

  /// Whether there was a file.
  var hasFound: Bool { state.withLock { $0.count > 0 } }

  /// Writes a file.
  ///
  /// - Throws: As `Output.writeResult`.
  func write(_ file: GrepFile) throws {
    try state.withLock { state in
      state.count += 1
      if let result = file.result, state.results.count < SearchOptions.maximumLimit || style.layout == .json {
        state.results.append(style.layout == .json ? result : Self.shortened(result))
      }
      guard style.layout != .json else { return }
      if context.output.isTerminal {
        let text = rendering.text(file, number: state.count)
        guard let collected else {
          state.wait?.end()
          state.wait = nil
          return try context.output.writeResult(text)
        }
        return collected.add(text)
      }
      rendering.append(file, isFirst: state.count == 1, to: &state.buffer)
      let isDue = ContinuousClock.now - state.writtenAt > Self.bufferTime
      if isDue || state.buffer.count >= Self.bufferSize { try flush(&state) }
    }
  }

  private func flush(_ state: inout State) throws {
    guard !state.buffer.isEmpty else { return }
    try context.output.writeBytes(state.buffer)
    state.buffer.removeAll(keepingCapacity: true)
    state.writtenAt = .now
  }

  /// A result with the first lines only: a list of thousands of files is kept for later commands.
  private static func shortened(_ result: SearchResult) -> SearchResult {
    var result = result
    if let matches = result[.matches]?.elements {
      result[.matches] = .items(Array(matches.prefix(MatchOptions.defaultLimit)))
    }
    return result
  }

  /// Ends after an error: what was found before it is written.
  func abandon() async {
    state.withLock { state in
      state.wait?.end()
      try? flush(&state)
    }
    try? await context.page(collected)
  }

  /// Writes what is left.
  func end(_ summary: GrepSummary, query: String) async throws {
    let results = try state.withLock { state in
      state.wait?.end()
      try flush(&state)
      return state.results
    }
    if style.layout == .json {
      let result = summary.result(results, elapsed: .now - start)
      let items = JSONValue.list(count: result.items.count) {
        SearchJSON.item(result.items[$0], explains: false)
      }
      return try context.output.result(SearchJSON.envelope(result, query: query, items: items))
    }
    try await context.page(collected)
    if style.isNumbered { LastListStore(context).keep(results) }
    guard style.layout != .nothing else { return }
    if context.output.isTerminal, context.output.isMessageTerminal, summary.clones > 1 {
      let count = state.withLock(\.count)
      context.output.footer(
        "\(HumanFormat.plural(summary.clones, "clone")) searched, "
          + (count == 0 ? "nothing" : HumanFormat.plural(count, "file")) + " found")
    }
  }
}
