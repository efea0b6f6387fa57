import ForageCore
import Yams

extension ManifestReader {
  /// Reads one of a fixed set of words.
  func word<Word: RawRepresentable & CaseIterable>(_ member: Member, _ type: Word.Type) -> Word?
  where Word.RawValue == String {
    let known = Word.allCases.map(\.rawValue)
    guard let text = StrictYAML.text(member.value) else {
      report(member.value, "\(member.name) takes one of: \(known.joined(separator: ", "))")
      return nil
    }
    if let word = Word(rawValue: text) { return word }
    let nearest = NearestName.of(text, among: known)
    report(
      member.value, "\(member.name) does not accept \"\(text)\"",
      hint: nearest.map { "did you mean \"\($0)\"?" } ?? "accepted values: \(known.joined(separator: ", "))")
    return nil
  }

  func flag(_ member: Member) -> Bool? {
    if let flag = member.value.bool { return flag }
    report(member.value, "\(member.name) takes true or false")
    return nil
  }

  func whole(_ member: Member, _ range: ClosedRange<Int>) -> Int? {
    if let number = member.value.int, range.contains(number) { return number }
    report(
      member.value, "\(member.name) takes a whole number from \(range.lowerBound) to \(range.upperBound)")
    return nil
  }

  func path(_ node: Node, _ what: String, isSingular: Bool) -> JSONPath? {
    guard let text = StrictYAML.text(node), text.hasPrefix("$") else {
      report(node, "\(what) takes a path such as $.name")
      return nil
    }
    do throws(JSONPath.Failure) {
      let path = try JSONPath(text)
      if isSingular, !path.isSingular {
        report(
          node, "\(what) takes one value, but \(text) can select several",
          hint: "replace * by a number, or add: as: join")
        return nil
      }
      return path
    } catch {
      report(
        node, "\(text) is not a valid path: \(error.reason)",
        hint: "paths consist of $, .name, ['name'], [0] and [*]")
      return nil
    }
  }
}
