import ForageCore
import ForageYAML
import Yams

extension YAMLPart<ManifestReader> {
  func path(_ name: String, example: String? = nil, isSingular: Bool = true) -> JSONPath? {
    member(name, example).flatMap { reader.path($0.value, name, isSingular: isSingular) }
  }

  func rule(_ name: String, example: String? = nil) -> ValueRule? {
    member(name, example).flatMap { reader.rule($0.value, name, type: nil) }
  }
}

extension ManifestReader {
  typealias Member = StrictYAML.Member
  typealias Part = YAMLPart<ManifestReader>

  func path(_ node: Node, _ what: String, isSingular: Bool) -> JSONPath? {
    guard let text = StrictYAML.text(node), text.hasPrefix("$") else {
      report(node, "\(what) takes a path such as $.name")
      return nil
    }
    do throws(JSONPath.Failure) {
      var path = try JSONPath(text)
      path.line = node.mark?.line
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
