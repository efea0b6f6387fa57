import ArgumentParser
import Forage
import ForageCore
import ForagePlatform

/// Runs `forage grep`: rg in place of this process, over what was chosen.
package struct GrepRun: Sendable {
  /// From this number of clones it is worth saying that the index is behind.
  private static let manyClones = 10
  /// From this number of clones that are searched whole, several runs of rg are worth their start.
  private static let manyRoots = 8

  /// The arguments of rg and ours, without the name of the command.
  let arguments: [GrepArguments.Argument]
  var isVerbose = false
  var isQuiet = false
  var color: String?

  /// Reads the arguments of the program.
  ///
  /// - Parameter arguments: Without the program's own name.
  /// - Returns: `nil` for another command.
  package init?(_ arguments: [[UInt8]]) {
    var rest = arguments.map(GrepArguments.Argument.init(_:))[...]
    var color: String?
    // Options of every command may stand before the command.
    while let first = rest.first?.text, first != "grep" {
      rest.removeFirst()
      switch first {
      case "-v", "--verbose": isVerbose = true
      case "--quiet": isQuiet = true
      case "--color": color = rest.popFirst()?.text
      case _ where first.hasPrefix("--color="): color = String(first.dropFirst(8))
      default: return nil
      }
    }
    guard !rest.isEmpty else { return nil }
    self.arguments = (color.map { [GrepArguments.Argument("--color=" + $0)] } ?? []) + rest.dropFirst()
    self.color = color
  }

  /// Replaces this process by rg if none of our options is given; returns otherwise, and where rg cannot be
  /// started.
  ///
  /// - Parameter variable: Reads a variable of the environment.
  package func replaceProcess(_ variable: (String) -> String?) {
    guard !isVerbose, let arguments = try? GrepArguments(self.arguments), !arguments.hasOwn else { return }
    var environment: [String: String] = [:]
    for name in ["PATH", RipgrepPath.variable] { environment[name] = variable(name) }
    guard let program = RipgrepPath.find(environment: environment) else { return }
    _ = ForagePlatform.replaceProcess(
      program, named: "rg", self.arguments.map(\.bytes), marking: RipgrepPath.variable)
  }

  func run(in context: Context) async throws -> ExitStatus {
    do {
      let arguments = try GrepArguments(arguments)
      if arguments.choosesClones { await CatalogueCheck(context.forage).run() }
      if arguments.wantsHelp {
        try context.output.writeResult(ForageCommand.helpMessage(for: GrepCommand.self) + "\n")
      } else if try arguments.names != nil || arguments.ref != nil {
        return try await LineSearchRun(arguments, context).run()
      }
      guard let program = context.forage.ripgrepProgram else {
        if arguments.wantsHelp { return .success }
        throw ForageError(
          "rg (ripgrep) is not installed",
          hint: "install it, on Debian with: apt install ripgrep; --symbol, --uses, --ref and forage "
            + "search -k code need none",
          code: .usage)
      }
      let line = try await line(arguments, context)
      await context.close()
      let failure = context.process.becomeRipgrep(
        program, line.options.map(\.bytes), line.paths.map(\.bytes), line.sizes)
      let hint =
        failure == E2BIG ? "name fewer clones" : "check the program: \(program.shellQuoted) --version"
      throw ForageError(
        "rg could not be started: \(String(cString: strerror(failure)))", hint: hint, code: .usage)
    } catch let error where !(error is QueryError) {
      // As for rg, every error has one status.
      guard var known = ForageError(advising: error), known.code != .interrupted else { throw error }
      // That no clone meets the conditions is none.
      let given = try? GrepArguments(self.arguments)
      let canBeNone = given.map { $0.clones.isEmpty && !$0.conditions.isEmpty } ?? false
      if known.code != .nothingFound || !canBeNone { known.code = .usage }
      throw known
    }
  }

  /// What rg is given.
  private struct Line {
    /// What stands before the paths of clones.
    var options: [GrepArguments.Argument]
    var paths: [GrepArguments.Argument] = []
    /// About how many files each path has, where the line is divisible: see `GrepArguments.isDivisible`.
    var sizes: [Int]?
  }

  private func line(_ arguments: GrepArguments, _ context: Context) async throws -> Line {
    let line =
      arguments.choosesClones && arguments.searches && !arguments.lacksPattern && !arguments.lacksValue
      ? try await lineOverClones(arguments, context) : Line(options: Self.options(arguments, arguments.words))
    if isVerbose || arguments.isVerbose {
      let all = line.options + line.paths
      context.output.trace("rg " + all.map { $0.text.shellQuoted }.joined(separator: " "))
    }
    return line
  }

  private static func options(
    _ arguments: GrepArguments, _ words: [GrepArguments.Argument], adding added: [GrepArguments.Argument] = []
  ) -> [GrepArguments.Argument] {
    // What follows would be the value.
    if arguments.lacksValue { return arguments.words + arguments.options }
    let end = arguments.choosesClones || !words.isEmpty ? [GrepArguments.Argument("--")] : []
    return added + arguments.options + end + words
  }

  private func lineOverClones(_ arguments: GrepArguments, _ context: Context) async throws -> Line {
    typealias Argument = GrepArguments.Argument
    let configuration = RipgrepConfiguration(environment: context.process.environment, arguments)
    let clones = try await ClonesCommand.grepClones(arguments, context)
    let locations = try context.forage.grepLocations(
      clones, arguments.paths.map(\.bytes), hint: arguments.hintForPaths)
    let patterns = configuration.options.flatMap { options in
      arguments.patterns(options, read: Forage.contents)
    }
    let options = configuration.options ?? []
    let targets = try context.forage.grepTargets(
      locations, patterns, givesFiles: arguments.givesFiles(options))
    var added: [Argument] = []
    if !arguments.sorts(options) { added.append(Argument("--sort=path")) }
    // With a single file rg prints no names; it is one of several.
    let hidesNames = options.contains { $0.option?.name == "--no-filename" }
    if !hidesNames, targets.locations != locations { added.append(Argument("--with-filename")) }
    if patterns != nil, targets.unclear >= Self.manyClones, context.output.isMessageTerminal, !isQuiet {
      context.output.warning(
        "\(targets.unclear) of \(HumanFormat.plural(locations.count, "clone")) are not in the index as they are "
          + "now",
        hint: "to search them faster, run: forage clones scan")
    }
    let folder = Array(ClonePreparation.absolute(".").utf8)
    let paths = targets.locations.map { location in
      if location.path.isEmpty || locations.contains(location) {
        return Argument(Self.relative(location.absolutePath, to: folder))
      }
      // As rg prints a file below the root that it is given.
      return Argument(
        Self.relative(Array(location.root.utf8), to: folder) + [UInt8(ascii: "/")] + location.path)
    }
    // On a terminal rg decides by itself how it prints.
    let isDivisible =
      !context.output.isTerminal && arguments.isDivisible(configuration.options)
      && targets.locations.count(where: \.path.isEmpty) >= Self.manyRoots
      && Forage.areDivisible(targets.locations)
    let pattern = arguments.hasPatternWord ? Array(arguments.words.prefix(1)) : []
    return Line(
      options: Self.options(arguments, pattern, adding: added),
      // Without a path rg would search the current folder.
      paths: paths.isEmpty ? [Argument("/dev/null")] : paths, sizes: isDivisible ? targets.sizes : nil)
  }

  /// A path as it is from a folder, if it is below it.
  static func relative(_ path: [UInt8], to folder: [UInt8]) -> [UInt8] {
    if path == folder { return [UInt8(ascii: ".")] }
    let prefix = folder.last == UInt8(ascii: "/") ? folder : folder + [UInt8(ascii: "/")]
    return path.starts(with: prefix) ? Array(path.dropFirst(prefix.count)) : path
  }
}

extension ClonesCommand {
  /// The clones that arguments of `grep` choose: those of each name, under all conditions.
  static func grepClones(_ arguments: GrepArguments, _ context: Context) async throws -> [CloneState] {
    try OptionValue.exclude(
      "--all", [("--clone", arguments.searchesAll && !arguments.clones.isEmpty)],
      hint: "leave one of them out")
    let conditions = try CloneConditions.parse(arguments.conditions)
    // By bytes: names may differ in their normalisation alone.
    var clones: [[UInt8]: CloneState] = [:]
    for name in arguments.clones.isEmpty ? [nil] : arguments.clones.map(Optional.some) {
      for clone in try await choose(name.map { [$0] } ?? [], conditions, context).clones {
        clones[Array(clone.path.utf8)] = clone
      }
    }
    return Array(clones.values)
  }
}

/// The user's configuration of rg (`RIPGREP_CONFIG_PATH`): an argument in each line.
struct RipgrepConfiguration {
  /// Its options; `nil` if they are not known.
  private(set) var options: [GrepArguments.Given]? = []

  init(environment: [String: String], _ arguments: GrepArguments) {
    guard arguments.readsConfiguration, let path = environment["RIPGREP_CONFIG_PATH"], !path.isEmpty else {
      return
    }
    options = nil
    guard let bytes = Forage.contents(of: path) else { return }
    let lines = bytes.split(separator: UInt8(ascii: "\n")).map { line in
      GrepArguments.Argument(
        Array(
          line.drop { $0 == 0x20 || $0 == 0x09 }.reversed().drop { [0x20, 0x09, 0x0D].contains($0) }
            .reversed()))
    }
    let given = try? GrepArguments(lines.filter { !$0.bytes.isEmpty && $0.bytes.first != UInt8(ascii: "#") })
    if let given, given.words.isEmpty, !given.hasOwn { options = given.given }
  }
}
