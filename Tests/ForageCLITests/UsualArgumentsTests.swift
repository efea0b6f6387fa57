import ArgumentParser
import TestSupport
import Testing

@testable import ForageCLI

/// Verbs that read usual arguments without the parser: what they read is what the parser reads.
struct UsualArgumentsTests {
  /// The values of all options by name.
  private func values(_ command: Any) -> [String: String] {
    var values: [String: String] = [:]
    for child in Mirror(reflecting: command).children {
      guard let label = child.label else { continue }
      if let group = child.value as? OptionGroup<ReportOptions> {
        values.merge(self.values(group.wrappedValue)) { $1 }
      } else {
        values[label] = String(describing: child.value)
      }
    }
    return values
  }

  /// Compares a verb with the parser; returns whether it read the arguments.
  private func isAlike<Command: DirectVerb>(
    _ type: Command.Type, _ arguments: [String], _ comment: Comment
  ) throws -> Bool {
    guard let direct = Command(usual: arguments[...]) else { return false }
    let parsed = try Command.parse(arguments)
    #expect(values(direct) == values(parsed), comment)
    return true
  }

  private func check<Command: DirectVerb>(_ type: Command.Type, _ words: [String]) throws {
    let seed = propertySeed()
    var random = SeededGenerator(seed: seed)
    let names = Command.names
    let letters = names.letters.map(\.letter)
    let odd = ["--", "-", "--unknown", "-x", "-Lp", "--help", "-1", "--no-strict", "-vw"]
    var read = 0
    for round in 0..<600 {
      var arguments: [String] = []
      for _ in 0..<Int.random(in: 0...5, using: &random) {
        let name = random.pick(names.options + names.lists + letters)
        switch Int.random(in: 0..<20, using: &random) {
        case 0..<8: arguments += [name, random.pick(words)]
        case 8..<12: arguments.append(random.pick(names.flags))
        case 12..<16: arguments.append(random.pick(words))
        case 16: arguments.append(name + "=" + random.pick(words))
        case 17: arguments.append(name)
        case 18: arguments.append(random.pick(letters) + random.pick(words))
        default: arguments.append(random.pick(odd))
        }
      }
      if try isAlike(type, arguments, "seed \(seed), round \(round): \(arguments)") { read += 1 }
    }
    #expect(read > 200, "seed \(seed): only \(read) were read")
  }

  @Test func inspectLikeTheParser() throws {
    try check(InspectCommand.self, [".", "head", "status,lines", "a b", "é", "", "json"])
  }

  @Test func searchLikeTheParser() throws {
    try check(
      SearchCommand.self, ["http", "client language:swift", "a b", "é", "", "json", "30", " -topic:x", ">10"])
  }

  /// Every option is read in its usual form, by its name and by its letter.
  @Test(arguments: [InspectCommand.self, SearchCommand.self] as [any DirectVerb.Type])
  func everyOption(_ type: any DirectVerb.Type) throws {
    var found = 0
    func check(_ command: any ParsableArguments) throws {
      for child in Mirror(reflecting: command).children {
        let label = try #require(child.label).dropFirst()
        let kind = String(describing: Swift.type(of: child.value))
        let name =
          "--" + label.map { $0.isUppercase ? "-" + $0.lowercased() : String($0) }.joined()
        switch kind.prefix(while: { $0 != "<" }) {
        case "Flag": #expect(type.init(usual: [name]) != nil, "\(name)")
        case "Option": #expect(type.init(usual: [name, "x"]) != nil, "\(name)")
        case "Argument": #expect(type.init(usual: ["x"]) != nil)
        default: try check(ReportOptions())
        }
        found += 1
      }
    }
    try check(type.init() as any ParsableArguments)
    let names = type.names
    #expect(found >= names.options.count + names.lists.count + names.flags.count + 1)
    for (letter, name) in names.letters {
      let arguments = names.flags.contains(name) ? [letter] : [letter, "x"]
      #expect(type.init(usual: arguments[...]) != nil, "\(letter)")
    }
  }

  /// What the parser has to judge is left to it.
  @Test(
    arguments: [
      ["--only"], ["--only", "-x"], ["--only=head"], ["--format", "json", "--format", "tsv"],
      ["--no-cache", "--no-cache"],
      ["--help"], ["-h"], ["--", "x"], ["-"], ["--unknown"], ["--verbose=true"],
    ])
  func forTheParser(_ arguments: [String]) {
    #expect(InspectCommand(usual: arguments[...]) == nil)
  }
}
