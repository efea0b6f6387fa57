import Foundation

/// Prints rows of figures.
enum Report {
  /// Runs that count, after one that warms up; an odd number, so that the median is a run.
  static let runs = 15

  /// Measures two commands in turn, A B A B …, and prints each figure and the ratio of the pairs.
  ///
  /// - Parameters:
  ///   - goals: What the median ratio of a figure must not exceed.
  static func pair(
    _ title: String, a: Command, b: Command, nameB: String,
    goals: [(figure: String, value: KeyPath<Cost, Double>, goal: Double)]
  ) {
    do {
      _ = try a.run()
      _ = try b.run()
      var costs: [(a: Cost, b: Cost)] = []
      for _ in 0..<runs {
        costs.append((a: try a.run(), b: try b.run()))
      }
      print("\n\(title)  (\(runs) pairs: median, lowest to highest)")
      for (figure, path, goal) in goals {
        let (ofA, ofB) = (
          Spread(costs.map { $0.a[keyPath: path] }), Spread(costs.map { $0.b[keyPath: path] })
        )
        let ratio = Spread(costs.map { $0.a[keyPath: path] / $0.b[keyPath: path] })
        let verdict = ratio.median <= goal ? "holds" : "MISSED"
        print(
          "  \(pad(figure, 8)) forage \(text(ofA, figure))   \(nameB) \(text(ofB, figure))   ratio \(number(ratio.median, 3))"
            + " (\(number(ratio.low, 3)) to \(number(ratio.high, 3)))   goal <= \(number(goal, 2)) \(verdict)"
        )
      }
    } catch let error as BenchError {
      print("\n\(title)\n  not measured: \(error.message)")
    } catch {
      print("\n\(title)\n  not measured: \(error)")
    }
  }

  /// Prints one figure in milliseconds with its goal.
  static func single(_ title: String, milliseconds: [Double], goal: Double) {
    let spread = Spread(milliseconds)
    let verdict = spread.median <= goal ? "holds" : "MISSED"
    print(
      "\n\(title)\n  \(number(spread.median, 1)) ms (\(number(spread.low, 1)) to \(number(spread.high, 1)))   goal <= \(number(goal, 0)) ms \(verdict)"
    )
  }

  /// Says that a peer is not there.
  static func skip(_ title: String, _ peer: String) {
    print("\n\(title)\n  skipped: \(peer) is not installed")
  }

  private static func text(_ spread: Spread, _ figure: String) -> String {
    let (scale, unit) = figure == "memory" ? (1e-6, "MB") : (1e3, "ms")
    return pad(
      "\(number(spread.median * scale, 1)) \(unit) (\(number(spread.low * scale, 1)) to \(number(spread.high * scale, 1)))",
      28)
  }

  private static func number(_ value: Double, _ digits: Int) -> String {
    String(format: "%.\(digits)f", value)
  }

  private static func pad(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }
}
