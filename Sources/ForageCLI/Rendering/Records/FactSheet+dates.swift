import ForageCore
import ForageFoundation

extension FactSheet {
  /// How times and large numbers are written.
  enum Dates {
    /// Times relative to now and rounded numbers: for a terminal.
    case ages(Date)
    /// Days in UTC and exact numbers: for a text that is read later.
    case days

    /// The form for where results go.
    init(_ output: Output) { self = output.isTerminal ? .ages(output.now) : .days }

    func text(_ date: Date) -> String {
      switch self {
      case .ages(let now): HumanFormat.age(date, now: now)
      case .days: HumanFormat.day(date)
      }
    }

    /// The text with the day behind a relative time.
    func dated(_ date: Date) -> String {
      let (text, day) = (text(date), HumanFormat.day(date))
      return text == day ? day : "\(text) (\(day))"
    }

    func count(_ number: Int) -> String {
      switch self {
      case .ages: HumanFormat.count(number)
      case .days: HumanFormat.grouped(number)
      }
    }
  }
}
