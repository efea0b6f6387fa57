import ForageCore
import Yams

extension ManifestReader {
  /// One of a closed list of words.
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
      member.value, "\"\(text)\" is none of what \(member.name) takes",
      hint: nearest.map { "did you mean \"\($0)\"?" } ?? "it takes: \(known.joined(separator: ", "))")
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
          node, "\(what) takes one value, and \(text) can lead to several",
          hint: "write a number in place of *, or add: as: join")
        return nil
      }
      return path
    } catch {
      report(node, "\(text) is no path: \(error.reason)", hint: "paths have $, .name, ['name'], [0] and [*]")
      return nil
    }
  }
}
