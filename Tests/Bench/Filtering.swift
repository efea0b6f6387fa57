import ForageCore

/// The row about the residual filter, in this process.
enum Filtering {
  private static let items = 100_000
  /// `OR`, a phrase, `NOT`, a range of numbers and a range of dates.
  private static let text =
    #"("message queue" OR language:swift) NOT archived:true stars:100..20000 pushed:2020-01-01..2024-12-31"#

  /// Prints the time for all items and how many there are in a second.
  static func row() {
    let title = "\(items) items through the residual filter: \(text)"
    // A provider that can nothing but deliver: every condition is left to check here.
    let abilities = Abilities(
      fields: [.language, .archived, .stars, .pushedAt], booleans: true, needsText: false)
    do {
      let query = try QueryParser().parse(text)
      let plan = try QueryPlan(query.root, abilities: abilities, vocabulary: .common)
      guard let residual = plan.residual, residual.conjuncts.count == query.root.conjuncts.count else {
        throw BenchError("a part of the query is not left to the filter")
      }
      let results = (0..<items).map(Sample.repository)
      var passed = 0
      var times: [Double] = []
      for _ in 0...Report.runs {
        let before = ContinuousClock.now
        passed = results.count { residual.matches($0, vocabulary: .common) }
        times.append((ContinuousClock.now - before) / .milliseconds(1))
      }
      times.removeFirst()
      let rate = Double(items) / Spread(times).median * 1000
      Report.single(
        title, milliseconds: times,
        notes: ["\(Report.number(rate, 0)) items a second, \(passed) of \(items) pass"])
    } catch {
      Report.missed(title, error)
    }
  }
}
