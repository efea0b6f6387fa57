package import ForageCore
import Yams

extension YAMLReader {
  private static var longestTitle: Int { 60 }
  private static var example: String {
    "actions: [{name: checkout, key: C, kinds: [pr], run: [gh, pr, checkout, \"{number}\", -R, \"{repository}\"]}]"
  }

  /// The actions of the settings or of a plugin.
  ///
  /// Kinds, placeholders and keys are not checked here: a plugin works without an action that does not.
  ///
  /// - Parameters:
  ///   - plugin: The id of the plugin; `nil` for the settings.
  ///   - owners: The ids of its providers, and its hosts.
  package func actions(_ member: StrictYAML.Member, plugin: String? = nil, owners: Set<String> = [])
    -> [ResultAction]
  {
    guard let nodes = member.value.sequence else {
      report(member.value, "actions takes a list", hint: "for example: " + Self.example)
      return []
    }
    var names: Set<String> = []
    var actions: [ResultAction] = []
    for node in nodes {
      guard
        let part = part(
          node, of: "an action", known: ["name", "key", "title", "kinds", "run", "in", "wait"]),
        let name = part.required("name", example: "name: checkout"),
        let run = part.required("run", example: "run: [gh, pr, checkout, \"{number}\"]"),
        let text = checkedText(
          name.value, "name takes letters, digits, - and _",
          where: {
            !$0.isEmpty && $0.consists(of: "a"..."z", "A"..."Z", "0"..."9", and: "-_") && !$0.hasPrefix("-")
          })
      else { continue }
      guard names.insert(text).inserted else {
        report(name.value, "there are two actions with the name \"\(text)\"")
        continue
      }
      let words = list(run, "run takes the words of a command")
      guard let program = words.first, !program.contains("{") else {
        report(run.value, "run begins with the name of a program", hint: "for example: " + Self.example)
        continue
      }
      if plugin == nil, program.contains("/"), !program.hasPrefix("/") {
        report(run.value, "run begins with a path that is relative to nothing", hint: "use an absolute path")
        continue
      }
      if let placeholder = ResultAction.placeholderInScript(words) {
        report(
          run.value, "the script in run has \(placeholder) in it, so a title could run commands",
          hint: "give the value as an argument: [sh, -c, 'echo \"$1\"', sh, \"\(placeholder)\"]")
        continue
      }
      let key = part["key"].flatMap {
        checkedText($0.value, "key takes one letter") { $0.count == 1 && $0.first?.isLetter == true }
      }
      let title = part["title"].flatMap {
        checkedText($0.value, "title takes a text on one line, of at most \(Self.longestTitle) characters") {
          Self.isLine($0) && $0.count <= Self.longestTitle
        }
      }
      let place = part["in"].flatMap { checkedText($0.value, "in takes clone") { $0 == "clone" } }
      let action = ResultAction(
        name: text, key: key?.first, title: title,
        kinds: Set(part["kinds"].map { list($0, "kinds takes names of kinds") } ?? []), command: words,
        isInClone: place != nil, waits: part.flag("wait") ?? true, plugin: plugin, owners: owners)
      actions.append(action)
    }
    return actions
  }

  /// A list of texts; what is none is reported and left out.
  private func list(_ member: StrictYAML.Member, _ rule: String) -> [String] {
    guard let nodes = member.value.sequence else {
      report(member.value, rule)
      return []
    }
    return nodes.compactMap { checkedText($0, rule) { !$0.isEmpty && Self.isLine($0) } }
  }
}
