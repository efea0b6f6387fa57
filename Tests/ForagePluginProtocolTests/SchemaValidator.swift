import ForageCore
import Foundation

/// Checks JSON against a JSON Schema (2020-12) of the few keywords that the schema of the protocol uses.
struct SchemaValidator {
  /// The whole schema.
  let root: JSONTree

  /// The keywords that are understood, and those that only tell people something.
  static let keywords: Set<String> = [
    "type", "properties", "required", "items", "enum", "const", "$ref", "anyOf", "additionalProperties",
    "pattern",
    "minimum", "maximum", "minItems", "maxItems", "minLength", "description", "examples", "title", "$schema",
    "$defs",
  ]

  /// What is wrong with a value, each with its place; nothing for a good one.
  func faults(_ value: JSONTree, _ schema: JSONTree, at place: String = "$") -> [String] {
    if let reference = schema["$ref"]?.string {
      guard let target = resolve(reference) else { return ["\(place): \(reference) leads nowhere"] }
      return faults(value, target, at: place)
    }
    var faults: [String] = []
    if let wanted = schema["const"], wanted != value { faults.append("\(place): not \(wanted)") }
    if let wanted = schema["enum"]?.array, !wanted.contains(value) {
      faults.append("\(place): none of \(wanted)")
    }
    if let choices = schema["anyOf"]?.array {
      let all = choices.map { self.faults(value, $0, at: place) }
      if !all.contains([]) { faults.append("\(place): none of the choices: \(all)") }
    }
    if let types = schema["type"]?.array ?? schema["type"].map({ [$0] }),
      !types.contains(where: { Self.name(of: value, fits: $0.string) })
    {
      return faults + ["\(place): not of type \(types)"]
    }
    switch value {
    case .object: faults += self.faults(in: value.object ?? [:], schema, at: place)
    case .array(let values):
      if let least = schema["minItems"]?.integer, values.count < least {
        faults.append("\(place): too short")
      }
      if let most = schema["maxItems"]?.integer, values.count > most { faults.append("\(place): too long") }
      if let items = schema["items"] {
        for (index, value) in values.enumerated() {
          faults += self.faults(value, items, at: "\(place)[\(index)]")
        }
      }
    case .integer(let number):
      if let least = schema["minimum"]?.integer, number < least { faults.append("\(place): too small") }
      if let most = schema["maximum"]?.integer, number > most { faults.append("\(place): too large") }
    case .string(let text):
      if let least = schema["minLength"]?.integer, text.count < least { faults.append("\(place): too short") }
      if let pattern = schema["pattern"]?.string, !Self.matches(text, pattern) {
        faults.append("\(place): does not match \(pattern)")
      }
    default: break
    }
    return faults
  }

  private func faults(in members: [String: JSONTree], _ schema: JSONTree, at place: String) -> [String] {
    let properties = schema["properties"]?.object ?? [:]
    var faults: [String] = []
    for name in schema["required"]?.array ?? [] {
      if let name = name.string, members[name] == nil { faults.append("\(place): without \(name)") }
    }
    for (name, value) in members.sorted(by: { $0.key < $1.key }) {
      if let property = properties[name] {
        faults += self.faults(value, property, at: place + "." + name)
      } else if let additional = schema["additionalProperties"] {
        if additional == .bool(false) {
          faults.append("\(place): has \(name)")
        } else {
          faults += self.faults(value, additional, at: place + "." + name)
        }
      }
    }
    return faults
  }

  /// The schema that `#/$defs/NAME` names.
  func resolve(_ reference: String) -> JSONTree? {
    let prefix = "#/$defs/"
    return reference.hasPrefix(prefix) ? root["$defs"]?[String(reference.dropFirst(prefix.count))] : nil
  }

  private static func name(of value: JSONTree, fits type: String?) -> Bool {
    switch (value, type) {
    case (.null, "null"), (.bool, "boolean"), (.integer, "integer"), (.integer, "number"),
      (.double, "number"),
      (.string, "string"), (.array, "array"), (.object, "object"):
      true
    default: false
    }
  }

  private static func matches(_ text: String, _ pattern: String) -> Bool {
    guard let regex = try? Regex(pattern) else { return false }
    return text.firstMatch(of: regex) != nil
  }
}
