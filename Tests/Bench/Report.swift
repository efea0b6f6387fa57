import Foundation

/// Prints rows of figures.
enum Report {
  /// Runs that count, after one that warms up; an odd number, so that the median is a run.
  static let runs = 15

  /// One figure of a pair of commands.
  struct Figure {
    /// What it is called; `memory` is in bytes, every other one in seconds.
    var name: String
    /// Where it stands.
    var value: KeyPath<Cost, Double>
    /// What the median ratio must not exceed, `nil` for no goal.
    var goal: Double?
  }

  /// What is no cost of the programs and is taken off the wall time of each run.
  struct Deduction {
    /// Seconds a run of the first command.
    var a: Double
    /// Seconds a run of the second command.
    var b: Double
    /// What it is, with its figures.
    var note: String
  }

  /// Measures two commands in turn, A B A B …, and prints each figure and the ratio of the pairs.
  ///
  /// - Parameters:
  ///   - figures: What is printed.
  ///   - runs: How many pairs count.
  ///   - deduction: Called when everything has run; tells what is taken off the wall times.
  static func pair(
    _ title: String, a: Command, b: Command, nameB: String, figures: [Figure], runs: Int = Report.runs,
    deduction: (() -> Deduction)? = nil
  ) {
    do {
      _ = try a.run()
      _ = try b.run()
      var costs: [(a: Cost, b: Cost)] = []
      for _ in 0..<runs {
        costs.append((a: try a.run(), b: try b.run()))
      }
      print("\n\(title)  (\(runs) pairs: median, lowest to highest)")
      if let deducted = deduction?() {
        for index in costs.indices {
          costs[index].a.wall -= deducted.a
          costs[index].b.wall -= deducted.b
        }
        print("  \(deducted.note)")
      }
      for figure in figures { print(line(figure, costs, nameB: nameB)) }
    } catch {
      missed(title, error)
    }
  }

  private static func line(_ figure: Figure, _ costs: [(a: Cost, b: Cost)], nameB: String) -> String {
    let ofA = Spread(costs.map { $0.a[keyPath: figure.value] })
    let ofB = Spread(costs.map { $0.b[keyPath: figure.value] })
    let ratio = Spread(costs.map { $0.a[keyPath: figure.value] / $0.b[keyPath: figure.value] })
    let goal = figure.goal.map { "   \(verdict(ratio.median, goal: $0, digits: 2))" } ?? ""
    // The system counts the memory of this program, before it became the other one, as the other one's.
    let floor = Memory.peak()
    let isHidden = figure.name == "memory" && min(ofA.median, ofB.median) <= floor
    let caution = isHidden ? "   (the bench's own \(number(floor * 1e-6, 1)) MB hides less)" : ""
    return
      "  \(pad(figure.name, 8)) forage \(text(ofA, figure.name))   \(nameB) \(text(ofB, figure.name))"
      + "   ratio \(number(ratio.median, 3)) (\(number(ratio.low, 3)) to \(number(ratio.high, 3)))"
      + goal + caution
  }

  /// Prints one figure in milliseconds, with its goal where it has one and what else there is to say.
  static func single(_ title: String, milliseconds: [Double], goal: Double? = nil, notes: [String] = []) {
    let spread = Spread(milliseconds)
    let goal = goal.map { "   \(verdict(spread.median, goal: $0, digits: 0, unit: " ms"))" } ?? ""
    let runs = "\(milliseconds.count) runs: median, lowest to highest"
    lines("\(title)  (\(runs))", ["\(Self.milliseconds(spread))\(goal)"] + notes)
  }

  /// Prints a title and lines below it.
  static func lines(_ title: String, _ lines: [String]) {
    print("\n\(title)")
    for line in lines { print("  \(line)") }
  }

  /// Says that a peer is not there.
  static func skip(_ title: String, _ peer: String) { lines(title, ["skipped: \(peer) is not installed"]) }

  /// Says why a row could not be measured.
  static func missed(_ title: String, _ error: any Error) {
    lines(title, ["not measured: \((error as? BenchError)?.message ?? "\(error)")"])
  }

  /// Whether a figure keeps within its goal.
  static func verdict(_ value: Double, goal: Double, digits: Int, unit: String = "") -> String {
    "goal <= \(number(goal, digits))\(unit) \(value <= goal ? "holds" : "MISSED")"
  }

  /// Milliseconds as median, lowest and highest.
  static func milliseconds(_ spread: Spread) -> String {
    "\(number(spread.median, 2)) ms (\(number(spread.low, 2)) to \(number(spread.high, 2)))"
  }

  /// A number with so many digits behind the point.
  static func number(_ value: Double, _ digits: Int) -> String { String(format: "%.\(digits)f", value) }

  /// A text filled up with spaces.
  static func pad(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }

  private static func text(_ spread: Spread, _ figure: String) -> String {
    let (scale, unit) = figure == "memory" ? (1e-6, "MB") : (1e3, "ms")
    let ends = "\(number(spread.low * scale, 1)) to \(number(spread.high * scale, 1))"
    return pad("\(number(spread.median * scale, 1)) \(unit) (\(ends))", 28)
  }
}
