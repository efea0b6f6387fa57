import ForageCore
import ForagePlatform
import Foundation

/// The row about memory, measured in processes of their own.
enum Memory {
  private static let providers = 10
  private static let results = 100_000

  /// The most memory that this process has had resident since its program began, in bytes.
  ///
  /// On Linux from `VmHWM`: `getrusage` also counts the process that it was started from.
  static func peak() -> Double {
    #if canImport(Darwin)
      var usage = rusage()
      getrusage(RUSAGE_SELF, &usage)
      return Double(usage.ru_maxrss)
    #else
      let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
      let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
      let kilobytes = line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Double($0) }
      return (kilobytes ?? .nan) * 1024
    #endif
  }

  /// The child's part: merges so many results, no two the same, and tells the peak and how many came out.
  static func hold(_ count: Int) async {
    let each = count / providers
    let lists = (0..<providers).map { list in
      FixedProvider(id: "p\(list)", items: (0..<each).map { Sample.repository(list * each + $0) })
    }
    let search = FederatedSearch(query: Sample.query, limit: max(1, count))
    let result = await SearchRun(search, ProviderRegistry(lists)).more()
    // The list is alive until here.
    print("\(peak()) \(result.items.count)")
  }

  /// Prints the peak with the results, without any, and the difference for one result.
  static func row() {
    let title = "memory of \(results) results held and merged, \(providers) providers (peak of a process)"
    do {
      let without = try measured(0)
      var peaks: [Double] = []
      for _ in 0..<3 { peaks.append(try measured(results)) }
      let spread = Spread(peaks)
      let range = "\(Report.number(spread.low * 1e-6, 1)) to \(Report.number(spread.high * 1e-6, 1))"
      Report.lines(
        title,
        [
          "\(Report.number(spread.median * 1e-6, 1)) MB (\(range), \(peaks.count) runs),"
            + " without results \(Report.number(without * 1e-6, 1)) MB:"
            + " \(Report.number((spread.median - without) / Double(results), 0)) bytes a result"
        ])
    } catch {
      Report.missed(title, error)
    }
  }

  private static func measured(_ count: Int) throws -> Double {
    let command = Command(
      executable: Bench.program, arguments: ["--hold", "\(count)"],
      environment: ProcessInfo.processInfo.environment)
    let words = try command.captured().text.split(whereSeparator: \.isWhitespace)
    guard words.count == 2, let peak = Double(words[0]), Int(words[1]) == count else {
      throw BenchError("\(words.last ?? "no") results came out of \(count)")
    }
    return peak
  }
}
