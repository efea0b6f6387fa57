import ForageGit

/// The notes that say why facts are missing or incomplete.
struct FactNotes {
  private(set) var list: [InspectionReport.Note] = []
  let isPartialClone: Bool
  private let objectProblem: GitError?

  init(_ repository: GitRepository) {
    isPartialClone = repository.isPartialClone
    objectProblem = repository.objectProblem
  }

  mutating func add(_ section: InspectionSection, _ message: String, isDamage: Bool = false) {
    list.append(.init(section: section.rawValue, message: message, isDamage: isDamage))
  }

  /// Adds the reason of an error.
  ///
  /// - Parameter isWhole: whether a partial clone has the object, too.
  mutating func add(_ section: InspectionSection, _ error: GitError, isWhole: Bool = false) {
    let isRemote = error.code == .missingObject && isPartialClone && !isWhole
    // What to do about missing objects is the same for all of them, and said once.
    var message = error.code == .missingObject ? error.message : error.description
    if isRemote { message = message.replacing(GitError.absence, with: "not present in this partial clone") }
    add(section, message, isDamage: error.isDamage && !isRemote)
  }

  /// Adds that `HEAD` is invalid, or that its objects cannot be read.
  ///
  /// - Parameter missing: what there is not.
  mutating func addInvalidHead(_ section: InspectionSection, missing: String) {
    add(section, objectProblem ?? GitError(.invalidHead, "HEAD is invalid, so there \(missing) to read"))
  }

  mutating func add(_ notes: [InspectionReport.Note]) { list += notes }
}

/// Returns a number with a noun, to which an `s` is added for several.
func counted(_ count: Int, _ noun: String) -> String { count == 1 ? "1 \(noun)" : "\(count) \(noun)s" }
