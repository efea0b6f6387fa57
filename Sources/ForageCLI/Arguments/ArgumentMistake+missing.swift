import Forage
import ForageCore

/// What to say about an argument, or the value of an option, that is not there.
extension ArgumentMistake {
  /// What the parser says of an option without its value, and of an argument that is required.
  private static let beginnings = ["Missing value for '", "Missing expected argument '"]

  /// The error in our own words for a message of the parser, `nil` for any other message.
  static func missing(_ message: String, in arguments: [String]) -> ForageError? {
    guard let beginning = beginnings.first(where: message.hasPrefix), var command = program else {
      return nil
    }
    var path = [command.name]
    for word in arguments {
      guard let next = command.commands.first(where: { $0.names.contains(word) }) else { break }
      (command, path) = (next, path + [next.name])
    }
    let described = message.dropFirst(beginning.count).prefix { $0 != "'" }
    let name = String(described.prefix { $0 != " " })
    let help = "see: \(path.joined(separator: " ")) --help"
    guard name.hasPrefix("-") else { return ForageError("\(name) is missing", hint: help) }
    let option = (command.usual ?? command).arguments.first { argument in
      (argument["names"]?.array ?? []).contains { name.drop { $0 == "-" } == $0["name"]?.string ?? "" }
    }
    return ForageError("\(name) takes \(values(of: option))", hint: help)
  }

  /// The arguments with a negative number joined to the option before it, which the parser takes for an option of its own;
  /// `nil` where no such value is missing. The command then says which numbers the option takes.
  static func withNegativeNumber(_ message: String, in arguments: [String]) -> [String]? {
    guard message.hasPrefix(beginnings[0]) else { return nil }
    let name = String(message.dropFirst(beginnings[0].count).prefix { $0 != " " && $0 != "'" })
    guard let place = arguments.firstIndex(of: name), arguments.indices.contains(place + 1),
      Double(arguments[place + 1]) != nil
    else { return nil }
    let joined = name + (name.hasPrefix("--") ? "=" : "") + arguments[place + 1]
    return arguments[..<place] + [joined] + arguments[(place + 2)...]
  }

  /// The values of an option: `a number of seconds`, `a key`, `asc or desc`.
  private static func values(of option: JSONTree?) -> String {
    let words = option?["completionKind"]?["list"]?["values"]?.array?.compactMap(\.string) ?? []
    if let last = words.last, words.count > 1 {
      return words.dropLast().joined(separator: ", ") + " or " + last
    }
    switch option?["valueName"]?.string {
    case "seconds": return "a number of seconds, for example 2.5"
    case "n", "number": return "a number"
    case let name? where name.contains("|"): return name.replacing("|", with: " or ")
    case let name?: return (name.first.map { "aeiou".contains($0) } == true ? "an " : "a ") + name
    case nil: return "a value"
    }
  }
}
