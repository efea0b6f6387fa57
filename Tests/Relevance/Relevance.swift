import Foundation
import TestSupport

/// Measures at which place searches list the files that developers look for.
@main
struct Relevance {
  private static let usage = """
    usage: forage-relevance [-v] FORAGE QUERIES FOLDER
      -v       Print the place of each query.
      QUERIES  A file such as Tests/Relevance/queries.tsv.
      FOLDER   The folder with the clones.

    """

  static func main() async {
    let arguments = CommandLine.arguments.dropFirst()
    let options = arguments.prefix { $0.hasPrefix("-") }
    let paths = Array(arguments.dropFirst(options.count))
    guard Set(options).isSubset(of: ["-v"]), paths.count == 3 else {
      FileHandle.standardError.write(Data(usage.utf8))
      exit(2)
    }
    do {
      try await measure(
        forage: URL(fileURLWithPath: paths[0]), queries: paths[1], folder: paths[2],
        isVerbose: !options.isEmpty)
    } catch {
      FileHandle.standardError.write(Data("forage-relevance: \(error)\n".utf8))
      exit(2)
    }
  }

  private static func measure(
    forage: URL, queries path: String, folder: String, isVerbose: Bool
  ) async throws {
    let all = try RelevanceQuery.read(path)
    let corpus = try await Corpus(forage: forage, folder: folder)
    let queries = all.filter { corpus.clones[$0.repository] != nil }
    let skipped = all.count - queries.count
    print("clones: \(corpus.clones.count), queries: \(queries.count)")
    if skipped > 0 { print("skipped queries, because their repository is not there: \(skipped)") }
    guard !queries.isEmpty else {
      throw SupportError(
        code: .missing, message: "no query has its repository below \(folder)", hint: "clone some of them")
    }
    var measurements = [await Measurement(ForageEngine(corpus: corpus), queries)]
    if let program = Corpus.program("rg") {
      measurements.append(await Measurement(RipgrepEngine(program: program, corpus: corpus), queries))
    } else {
      print("rg: skipped: not installed")
    }
    do {
      if let zoekt = try await ZoektEngine(corpus: corpus) {
        measurements.append(await Measurement(zoekt, queries))
      } else {
        print("zoekt: skipped: zoekt or zoekt-git-index is not installed")
      }
    } catch {
      print("zoekt: skipped: \(error)")
    }
    if isVerbose { write(measurements, queries) }
    for measurement in measurements { measurement.writeNotes() }
    write(measurements, halves: Set(queries.map(\.half)).sorted())
  }

  /// The place of each query in each order.
  private static func write(_ measurements: [Measurement], _ queries: [RelevanceQuery]) {
    print()
    print(measurements.map { padded($0.name, 16) }.joined() + "  half  query")
    for (number, query) in queries.enumerated() {
      let places = measurements.map { measurement in
        switch measurement.outcomes[number] {
        case .found(let place): padded("\(place)", 16)
        case .notFound, .failed: padded("-", 16)
        case .leftOut: padded("", 16)
        }
      }
      print(
        places.joined() + "  " + query.half.padding(toLength: 6, withPad: " ", startingAt: 0) + query.text)
    }
  }

  /// The figures of each half and of all queries.
  private static func write(_ measurements: [Measurement], halves: [String]) {
    print()
    print(padded("half", 20) + padded("queries", 9) + padded("MRR", 8) + padded("first 5", 9))
    for measurement in measurements {
      for half in halves.map(Optional.some) + [nil] {
        let figures = measurement.figures(half: half)
        print(
          measurement.name.padding(toLength: 16, withPad: " ", startingAt: 0) + padded(half ?? "all", 4)
            + padded("\(figures.count)", 9) + padded(String(format: "%.3f", figures.meanReciprocalRank), 8)
            + padded(String(format: "%.1f %%", 100 * figures.firstShare), 9))
      }
    }
  }

  private static func padded(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.count)) + text
  }
}

/// The places at which one program lists the wanted files.
struct Measurement {
  /// Places up to this one count for the share.
  private static let first = 5

  enum Outcome {
    /// The place from 1.
    case found(Int)
    case notFound
    /// The program ended with an error; counts as not found.
    case failed(String)
    /// The program has no means for the query; does not count.
    case leftOut
  }

  let name: String
  let queries: [RelevanceQuery]
  /// One for each query.
  private(set) var outcomes: [Outcome] = []

  init(_ engine: some SearchEngine, _ queries: [RelevanceQuery]) async {
    name = engine.name
    self.queries = queries
    for query in queries {
      guard engine.supports(query) else {
        outcomes.append(.leftOut)
        continue
      }
      do {
        outcomes.append(try await engine.place(of: query).map { .found($0) } ?? .notFound)
      } catch {
        outcomes.append(.failed("\(error)"))
      }
    }
  }

  /// Names the queries that failed or were left out.
  func writeNotes() {
    for (query, outcome) in zip(queries, outcomes) {
      switch outcome {
      case .failed(let message): print("\(name): FAILED: \(query.text): \(message)")
      case .leftOut: print("\(name): left out: \(query.text)")
      case .found, .notFound: break
      }
    }
  }

  /// The figures of one half, or of all queries.
  func figures(half: String?) -> (count: Int, meanReciprocalRank: Double, firstShare: Double) {
    var count = 0
    var reciprocals = 0.0
    var first = 0
    for (query, outcome) in zip(queries, outcomes) where half == nil || query.half == half {
      if case .leftOut = outcome { continue }
      count += 1
      guard case .found(let place) = outcome else { continue }
      reciprocals += 1 / Double(place)
      if place <= Self.first { first += 1 }
    }
    let divisor = Double(max(1, count))
    return (count, reciprocals / divisor, Double(first) / divisor)
  }
}
