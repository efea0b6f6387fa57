import ArgumentParser
import Forage
import ForageCore
import ForageInspector
import ForagePlatform

extension ArgumentHelp {
  static let chosenClones = ArgumentHelp(
    "Names, paths, numbers, words, or - for standard input.", valueName: "clone")
  static let jobs = ArgumentHelp("Work on n clones at a time. (default 8)", valueName: "n")
}

/// Which clones a command works on; every command of the fleet reads them the same way.
extension ClonesCommand {
  /// What the manual says of it.
  static let choice = """
    CLONE is owner/name, a name alone, a path (of a folder above clones, all of them), a glob such as owner/*, or a number of the \
    last list (3 5-7); what is none of these is a word, a part of owner/name or of the path. - reads names from standard input, one a \
    line or as a list printed them. Names add up; words and conditions must all hold. Without any, all clones are meant.
    """

  /// The most clones that are worked on at once: each can have programs of its own.
  private static let mostJobs = 64

  /// The value of `--jobs`.
  static func jobs(_ text: String?) throws -> Int {
    try text.map { try OptionValue.number($0, 1...mostJobs, of: "--jobs") } ?? CloneUpdating.jobs
  }

  /// Chooses the clones, and reports names that are none.
  ///
  /// - Parameter takesFoldersWithin: Whether a folder within a clone stands for it.
  /// - Throws: `ForageError`, with code `nothingFound` where none fits.
  static func choose(
    _ texts: [String], _ conditions: CloneConditions, _ context: Context, takesFoldersWithin: Bool = true
  ) async throws -> ChosenClones {
    let chosen = try await named(
      texts, conditions, try conditions.filter(now: context.output.now), context,
      takesFoldersWithin: takesFoldersWithin)
    guard chosen.clones.isEmpty, chosen.failures.isEmpty else { return chosen }
    throw noMatch(texts, conditions, of: chosen)
  }

  /// The clones that texts and what the catalogue has of the conditions choose, and of these the ones that a
  /// filter lets through; names that are none are reported, and folders that are away.
  static func named(
    _ texts: [String], _ conditions: CloneConditions, _ filter: CloneFilter?, _ context: Context,
    prefersWords: Bool = false, takesFoldersWithin: Bool = true, keepsUnavailable: Bool = false
  ) async throws -> ChosenClones {
    let chosen = try await ChosenClones(
      texts.filter { $0 != "-" }, names: texts.contains("-") ? try names(context) : nil,
      allows: { conditions.allows($0.language) }, filter, context.forage, lastList: context.lastList,
      prefersWords: prefersWords, takesFoldersWithin: takesFoldersWithin, keepsUnavailable: keepsUnavailable)
    for folder in chosen.unavailable { ClonePreparation(context.forage).reportUnavailable(folder) }
    for failure in chosen.failures { context.output.problem(failure.message, hint: failure.advice) }
    return chosen
  }

  /// The error where no clone was chosen.
  static func noMatch(
    _ texts: [String], _ conditions: CloneConditions, of chosen: ChosenClones
  ) -> ForageError {
    if chosen.all.isEmpty {
      return ForageError(
        "no clones are known", hint: "add a folder with: forage clones add DIR", code: .nothingFound)
    }
    if !chosen.unavailable.isEmpty, conditions.names.isEmpty {
      return ForageError(
        "every chosen clone is in a folder that is away", hint: "list them with: forage clones list",
        code: .nothingFound)
    }
    if texts == ["-"], conditions.isEmpty {
      return ForageError(
        "standard input names no clone", hint: "for example: forage clones list | forage clones fetch -",
        code: .nothingFound)
    }
    let asked = texts.map(\.shellQuoted) + conditions.names + conditions.language.map { "--language \($0)" }
    let language = texts.first { word in
      chosen.all.contains { $0.language.map(LanguageName.normalised) == LanguageName.normalised(word) }
    }
    return ForageError(
      "no clone matches \(asked.joined(separator: " "))",
      hint: language.map { "did you mean --language \($0.shellQuoted)?" }
        ?? "list all with: forage clones list",
      code: .nothingFound)
  }

  /// The names in the lines of standard input.
  private static func names(_ context: Context) throws -> [String] {
    var names: [String] = []
    while let line = context.input.readLine() {
      try Task.checkCancellation()
      names += try CloneReferences.references(inLine: line, [], prefersPaths: true)
    }
    return names
  }

  /// The status of a command on several clones.
  static func status(done: Int, failed: Int) -> ExitStatus {
    failed == 0 ? .success : done == 0 ? .failed : .partial
  }

  /// Reports an interruption.
  static func interrupted(_ done: Int, of count: Int, _ what: String, _ context: Context) -> ExitStatus {
    context.output.problem(
      "interrupted; \(done) of \(HumanFormat.plural(count, "clone")) \(what)", hint: "run the command again")
    return .interrupted
  }
}

extension CloneState {
  /// The name as people write it, with the path where another clone has the name, too; of a clone without a
  /// forge its path.
  func shownName(_ context: Context) -> String {
    let place = PathText(home: context.forage.paths.home).text(path)
    guard let name = name.map(context.forage.shortName) else { return place }
    return sharesName ? name + " " + place : name
  }
}
