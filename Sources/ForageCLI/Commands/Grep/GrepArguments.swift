import Forage
import ForageCore

/// The arguments of `forage grep`: those of rg, with ours anywhere among them.
struct GrepArguments: Sendable {
  /// An argument, which need not be UTF-8.
  struct Argument: Hashable, Sendable {
    var bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }
    init(_ text: String) { bytes = Array(text.utf8) }

    /// The text, with U+FFFD in place of what is not UTF-8.
    var text: String { String(decoding: bytes, as: UTF8.self) }
    var isText: Bool { text.utf8.elementsEqual(bytes) }
  }

  /// An option of rg with its value.
  struct Given: Sendable {
    var name: String
    var value: Argument?
    var option: RipgrepOption?
  }

  /// Our options with a value, by the names that they are given.
  private static let ownWithValue = [
    "--clone": "--clone", "--repo": "--clone", "-R": "--clone", "--language": "--language",
    "--stale": "--stale", "--symbol": "--symbol", "--uses": "--uses", "--ref": "--ref",
  ]
  /// Our conditions on clones without a value.
  private static let conditionFlags: Set = [
    "--dirty", "--ahead", "--behind", "--stashed", "--no-upstream", "--unpushed", "--safe-to-delete",
  ]

  /// All of them, without ours.
  private(set) var options: [Argument] = []
  /// The options of rg as they are understood, in order.
  private(set) var given: [Given] = []
  /// What is no option: a pattern, unless an option has one, and paths.
  private(set) var words: [Argument] = []

  private(set) var searchesAll = false
  /// The names of `--clone`.
  private(set) var clones: [String] = []
  /// Conditions on clones, as `clones list` takes them.
  private(set) var conditions: [String] = []
  /// The names of `--symbol` and of `--uses`.
  private(set) var symbols: [String] = []
  private(set) var uses: [String] = []
  private(set) var ref: String?
  private(set) var wantsHelp = false
  private(set) var isVerbose = false

  /// Whether the last option lacks its value.
  private(set) var lacksValue = false
  /// Whether one of ours is among them; without one rg gets what was given.
  private(set) var hasOwn = false

  /// Reads arguments.
  ///
  /// - Throws: `ForageError` for one of ours without a value.
  init(_ arguments: [Argument]) throws(ForageError) {
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      let text = argument.text
      if text == "--" {
        words += rest
        break
      }
      if text == "-" || !text.hasPrefix("-") {
        words.append(argument)
      } else if text.hasPrefix("--") {
        try readLong(argument, &rest)
      } else {
        try readLetters(argument, &rest)
      }
    }
  }

  private mutating func readLong(_ argument: Argument, _ rest: inout ArraySlice<Argument>) throws(ForageError)
  {
    let text = argument.text
    let equals = argument.bytes.firstIndex(of: UInt8(ascii: "="))
    let name = String(text.prefix { $0 != "=" })
    let joined = equals.map { Argument(Array(argument.bytes[($0 + 1)...])) }
    if let own = Self.ownWithValue[name] {
      return try add(own, joined, as: name, &rest)
    }
    let flags = Self.conditionFlags.union(["--all", "--verbose"])
    if equals != nil, flags.contains(name) {
      throw ForageError("\(name) takes no value", hint: "write: \(name)")
    }
    if equals == nil {
      switch name {
      case "--all": (searchesAll, hasOwn) = (true, true)
      case "--verbose": (isVerbose, hasOwn) = (true, true)
      case "--help": (wantsHelp, hasOwn) = (true, true)
      case _ where Self.conditionFlags.contains(name):
        conditions.append(name)
        hasOwn = true
      default: break
      }
      if flags.contains(name) { return }
    }
    let option = RipgrepOption.all[name]
    options.append(argument)
    var value = joined
    if option?.takesValue == true, value == nil {
      value = rest.popFirst()
      if let value { options.append(value) } else { lacksValue = true }
    }
    given.append(Given(name: name, value: value, option: option))
  }

  /// Reads letters in one argument, of which the last one may have a value: `-lR NAME`, `-C2`.
  private mutating func readLetters(
    _ argument: Argument, _ rest: inout ArraySlice<Argument>
  ) throws(ForageError) {
    var kept: [UInt8] = []
    var bytes = argument.bytes.dropFirst()
    while let byte = bytes.popFirst() {
      let name = "-" + String(UnicodeScalar(byte))
      let option = RipgrepOption.all[name]
      guard name == "-R" || option?.takesValue == true else {
        kept.append(byte)
        if name == "-h" { (wantsHelp, hasOwn) = (true, true) }
        given.append(Given(name: option?.name ?? name, option: option))
        continue
      }
      var value: Argument?
      if !bytes.isEmpty {
        value = Argument(Array(bytes.first == UInt8(ascii: "=") ? bytes.dropFirst() : bytes))
      }
      if name == "-R" {
        try add("--clone", value, as: name, &rest)
      } else {
        kept.append(byte)
        kept += bytes
        if !kept.isEmpty { options.append(Argument([UInt8(ascii: "-")] + kept)) }
        kept = []
        if value == nil {
          value = rest.popFirst()
          if let value { options.append(value) } else { lacksValue = true }
        }
        given.append(Given(name: option?.name ?? name, value: value, option: option))
      }
      bytes = []
    }
    if !kept.isEmpty { options.append(Argument([UInt8(ascii: "-")] + kept)) }
  }

  /// Adds one of ours.
  ///
  /// - Parameters:
  ///   - value: What was joined to it; otherwise the next argument is its value.
  ///   - given: The name that was given.
  private mutating func add(
    _ name: String, _ value: Argument?, as given: String, _ rest: inout ArraySlice<Argument>
  ) throws(ForageError) {
    hasOwn = true
    let text = (value ?? rest.popFirst())?.text ?? ""
    guard !text.isEmpty else { throw ForageError("\(given) needs a value", hint: "see: forage help grep") }
    switch name {
    case "--clone": clones.append(text)
    case "--symbol": symbols.append(text)
    case "--uses": uses.append(text)
    case "--ref": ref = text
    default: conditions += [name, text]
    }
  }

  // MARK: What they mean

  /// The option that finds names, as a qualifier of a query, with its values; `nil` for a search for a
  /// pattern.
  ///
  /// - Throws: `ForageError` for both of them.
  var names: (qualifier: String, values: [String])? {
    get throws(ForageError) {
      guard symbols.isEmpty || uses.isEmpty else {
        throw ForageError("--symbol and --uses cannot be used together", hint: "search once with each")
      }
      if !symbols.isEmpty { return ("symbol", symbols) }
      return uses.isEmpty ? nil : ("uses", uses)
    }
  }

  /// Whether clones are chosen.
  var choosesClones: Bool { searchesAll || !clones.isEmpty || !conditions.isEmpty }

  /// The patterns that options have.
  private var patternsOfOptions: [Given] {
    given.filter { $0.option?.effect == .pattern || $0.option?.effect == .patternFile }
  }

  /// Whether something is listed, and no pattern is looked for.
  private var lists: Bool {
    given.contains { $0.option?.effect == .lists || $0.option?.effect == .listsFiles }
  }

  /// Whether files are read or listed.
  var searches: Bool { !given.contains { $0.option?.effect == .lists } }

  /// What to do where a word is no path in the clones.
  var hintForPaths: String {
    guard let unknown = given.first(where: { $0.option == nil }) else {
      return "name a path in the clones, for example: src"
    }
    return "if \(unknown.name) is an option with a value, write: \(unknown.name)=VALUE"
  }

  /// Whether the first word is the pattern.
  var hasPatternWord: Bool { !lists && patternsOfOptions.isEmpty }

  /// The paths.
  var paths: ArraySlice<Argument> { words.dropFirst(hasPatternWord ? 1 : 0) }

  /// Whether there is nothing to look for.
  var lacksPattern: Bool { hasPatternWord && words.isEmpty }

  /// The patterns by which clones can be left out; `nil` if anything may match.
  ///
  /// - Parameters:
  ///   - configuration: The options of the user's configuration, which come before these.
  ///   - read: Reads a file of patterns.
  func patterns(_ configuration: [Given], read: (String) -> [UInt8]?) -> GrepPatterns? {
    var (isLiteral, isPCRE) = (false, false)
    var texts: [String] = []
    for option in configuration + given {
      guard let effect = option.option?.effect else { return nil }
      switch effect {
      case .none, .restricts, .sorts, .ignoresConfiguration: break
      case .widens, .lists, .listsFiles: return nil
      case .glob: guard option.value?.text.hasPrefix("!") == true else { return nil }
      case .literal: isLiteral = true
      case .notLiteral: isLiteral = false
      case .pcre2: isPCRE = true
      case .notPCRE2: isPCRE = false
      case .pattern:
        guard let value = option.value, value.isText else { return nil }
        texts.append(value.text)
      case .patternFile:
        guard let value = option.value, value.isText, value.text != "-", let bytes = read(value.text) else {
          return nil
        }
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for line in bytes.last == UInt8(ascii: "\n") ? lines.dropLast() : lines[...] {
          let line = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
          let text = String(decoding: line, as: UTF8.self)
          guard text.utf8.elementsEqual(line) else { return nil }
          texts.append(text)
        }
      }
    }
    if hasPatternWord, texts.isEmpty {
      guard let word = words.first, word.isText else { return nil }
      texts = [word.text]
    }
    // Of patterns over several lines each may be one.
    texts = texts.flatMap { $0.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) }
    // PCRE2 then sees bytes, of which a quantifier or a class takes one.
    let seesBytes =
      isPCRE
      && (configuration + given).contains {
        ["--no-unicode", "--no-pcre2-unicode"].contains($0.option?.name)
      }
    guard !seesBytes || texts.allSatisfy({ $0.utf8.allSatisfy { $0 < 0x80 } }) else { return nil }
    return GrepPatterns(texts, isLiteral ? .literal : isPCRE ? .pcre2 : .rust)
  }

  /// Whether files that are named are searched as they are when their folder is, and in the same order.
  func givesFiles(_ configuration: [Given]) -> Bool {
    (configuration + given).allSatisfy { given in
      switch given.option?.effect {
      case .restricts, .glob: false
      case .sorts: given.name == "--sort" && given.value?.text == "path"
      default: true
      }
    }
  }

  /// Whether the output for several paths is that for each of them, one behind the other.
  ///
  /// - Parameter configuration: The options of the user's configuration; `nil` if they are not known.
  func isDivisible(_ configuration: [Given]?) -> Bool {
    guard let configuration else { return false }
    return (configuration + given).allSatisfy { given in
      guard let option = given.option, !option.spansFiles else { return false }
      switch option.effect {
      // A file of patterns may be a pipe, which can be read once.
      case .sorts, .lists, .patternFile: return false
      default: return true
      }
    }
  }

  /// Whether the order is chosen.
  func sorts(_ configuration: [Given]) -> Bool {
    (configuration + given).contains { $0.option?.effect == .sorts }
  }

  /// Whether the user's configuration of rg is read.
  var readsConfiguration: Bool { !given.contains { $0.option?.effect == .ignoresConfiguration } }
}
