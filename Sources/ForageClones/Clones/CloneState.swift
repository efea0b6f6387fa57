package import ForageCore
package import ForageFoundation
import ForageGit
package import ForageInspector
package import ForageLocal
package import ForageSetup
import ForageStore

/// Conditions on clones; a clone is listed when it meets all that are set.
package struct CloneFilter: Sendable {
  package enum Condition: String, Sendable {
    /// It has uncommitted changes or untracked files.
    case dirty
    /// It has commits that the upstream lacks.
    case ahead
    /// It lacks commits of the upstream.
    case behind
    case stashed
    case noUpstream = "no-upstream"
    /// It has commits that no remote has, also of branches without an upstream.
    case unpushed
    /// All of its work is on a remote.
    case safeToDelete = "safe-to-delete"
  }

  private let conditions: Set<Condition>
  /// The last commit is older than this; `nil` for any.
  private let staleBefore: Date?

  package init(_ conditions: [Condition], staleBefore: Date? = nil) {
    (self.conditions, self.staleBefore) = (Set(conditions), staleBefore)
  }

  /// Whether it must be known if a clone has unsaved work.
  var needsUnsavedWork: Bool { conditions.contains(.safeToDelete) }

  /// Whether a clone meets all conditions.
  ///
  /// - Throws: `InspectionError` where a fact that a condition is about could not be read.
  func matches(_ clone: InspectedClone) throws(InspectionError) -> Bool {
    let report = try clone.outcome.get()
    guard let head = report.head else { throw Self.unknown(.head, report) }
    if conditions.contains(.dirty) {
      if let status = report.status {
        if status.clean { return false }
      } else if report.bare {
        return false
      } else {
        throw Self.unknown(.status, report)
      }
    }
    if conditions.contains(.ahead), try !Self.isAbove(report.upstream?.ahead, report) { return false }
    if conditions.contains(.behind), try !Self.isAbove(report.upstream?.behind, report) { return false }
    if conditions.contains(.stashed) {
      guard let stashes = report.stashes else { throw Self.unknown(.stashes, report) }
      if stashes == 0 { return false }
    }
    if conditions.contains(.unpushed) {
      guard let unpushed = clone.unpushed else { throw Self.unknown(.upstream, report) }
      if unpushed == 0 { return false }
    }
    if conditions.contains(.noUpstream), head.branch == nil || report.upstream != nil { return false }
    if let staleBefore {
      guard let last = clone.lastCommitAt else {
        if head.unborn { return false }
        throw Self.unknown(.commits, report)
      }
      if last >= staleBefore { return false }
    }
    return !needsUnsavedWork || clone.hasUnsavedWork == false
  }

  /// Whether a number of commits beside the upstream is above zero; false without an upstream that is there.
  private static func isAbove(_ count: Int?, _ report: InspectionReport) throws(InspectionError) -> Bool {
    if count == nil, report.damagedSections.contains(InspectionSection.upstream.rawValue) {
      throw unknown(.upstream, report)
    }
    return (count ?? 0) > 0
  }

  /// The reason that a report gives for a missing section.
  private static func unknown(_ section: InspectionSection, _ report: InspectionReport) -> InspectionError {
    let note = report.notes.first { $0.section == section.rawValue }
    return InspectionError(
      note?.isDamage == true ? .corrupt : .other, note?.message ?? "its \(section.rawValue) could not be read"
    )
  }
}

/// A clone of the catalogue, with what an inspection found in it.
package struct CloneState: Sendable {
  /// The sections that are read; everything else is in the catalogue.
  private static let sections: Set<InspectionSection> = [.head, .upstream, .status, .stashes]

  /// The clone as the catalogue has it, with the time of its last commit now.
  private var clone: CloneRecord
  /// `nil` for a clone that was not inspected or cannot be.
  package let report: InspectionReport?
  /// The number of commits that no remote has; `nil` where it is not known.
  package let unpushed: Int?
  /// Why the inspection failed.
  package private(set) var error: InspectionError?
  /// Whether it meets the conditions; without any, every clone does.
  package private(set) var isListed: Bool

  /// Whether it was chosen beside another clone of its repository, so that its name does not tell which one
  /// it is.
  package var sharesName = false

  package var path: String { clone.path }
  /// The id of the repository on its forge.
  package var id: String? { clone.entityID }
  /// The id as the address of the remote spells it.
  package var name: String? { clone.entityName }
  /// The id of the repository that its address names.
  package var addressID: String? { clone.addressID ?? clone.entityID }
  /// The name that the repository has on its forge now, where its address has a former one.
  package var renamedTo: String? { clone.addressID == nil ? nil : clone.entityName }
  /// The address of its remote.
  package var url: String? { clone.remoteURL }
  package var branch: String? { clone.branch }
  package var lastCommitAt: Date? { clone.lastCommitAt }
  package var language: String? { clone.language }
  package var sizeBytes: Int? { clone.sizeBytes }
  /// Why the clone cannot be read, at the last scan or now.
  package var problem: String? { clone.error }
  package func result(_ hosts: RemoteHosts = RemoteHosts()) -> SearchResult { clone.result(hosts) }
  /// The folder of the catalogue in which it was found.
  var folder: String { clone.folder }

  /// Whether each word is a part of `owner/name` or of the path; case is ignored. The host is one only of a
  /// word that can name it, because `git` would be a part of most.
  package func isNamed(by words: [String]) -> Bool {
    let host = id.flatMap { $0.split(separator: "/").first }.map { $0 + "/" } ?? ""
    let whole = [id, clone.addressID, path].compactMap { $0?.lowercased() }
    let texts = host.isEmpty ? whole : whole.map { $0.replacing(host.lowercased(), with: "") }
    return words.allSatisfy { word in
      let word = word.lowercased()
      let namesHost =
        word.contains { ".:".contains($0) } || host.lowercased().hasPrefix(word + "/")
        || word.hasPrefix(host.lowercased())
      return (namesHost ? whole : texts).contains { $0.contains(word) }
    }
  }

  /// The remedy for a clone that cannot be read; `nil` where the error says it.
  package var remedy: Remedy? {
    let codes: [InspectionError.Code] = [
      .missingObject, .corrupt, .invalidHead, .notARepository, .notFound,
    ]
    guard error.map({ codes.contains($0.code) }) ?? true else { return nil }
    return .unreadableClone(at: path)
  }

  /// The clones of the catalogue by path, not inspected, after a scan of the folders that were never scanned.
  ///
  /// - Throws: `StoreError` where the store cannot be read; `CancellationError`.
  package static func catalogued(_ forage: Forage) async throws -> [CloneState] {
    try await ClonePreparation(forage).scanWhatIsNew()
    return try forage.store.existing()?.clones().map(CloneState.init) ?? []
  }

  /// Those of some clones that are unavailable with their folder of the catalogue, as of an unmounted disk:
  /// it does not exist or is empty, and the catalogue keeps them. A clone that was added by itself is gone,
  /// and no disk.
  package static func unavailable(_ clones: [CloneState]) -> [CloneState] {
    let folders = Set(clones.map(\.folder)).filter { FileAccess.isEmpty($0) }
    return folders.isEmpty
      ? []
      : clones.filter {
        folders.contains($0.folder) && $0.folder != $0.path && FileAccess.entry($0.path) == nil
      }
  }

  /// Inspects clones of the catalogue concurrently.
  ///
  /// - Parameters:
  ///   - filter: The conditions, `nil` for none.
  ///   - each: Receives the clones in their order, whether they meet the conditions or not.
  /// - Throws: What `each` throws; `CancellationError`.
  package static func inspect(
    _ clones: [CloneState], _ filter: CloneFilter?, _ forage: Forage,
    each: (CloneState) throws -> Void
  ) async throws {
    var rest = clones[...]
    let needsUnsavedWork = filter?.needsUnsavedWork == true
    let lenders = needsUnsavedWork ? try await lenders(among: Set(clones.map(\.path)), forage) : [:]
    try await InspectedClone.all(
      clones.map(\.path), needsUnsavedWork ? sections.union([.lastFetchAt]) : sections,
      cache: InspectionCache.stored(in: forage.paths.cacheFolder),
      findsLastCommit: true, findsUnsavedWork: needsUnsavedWork, findsUnpushed: true,
      reporter: forage.reporter
    ) { inspected in
      var inspected = inspected
      if lenders[inspected.path] != nil { inspected.hasUnsavedWork = true }
      try each(CloneState(rest.removeFirst().clone, inspected, filter))
    }
  }

  /// The clones among some whose folders have objects that other clones of the catalogue need, with the paths
  /// of those.
  static func lenders(among paths: Set<String>, _ forage: Forage) async throws -> [String: [String]] {
    // A clone that is ignored needs its objects all the same.
    let borrowers = Set(try forage.store.existing()?.clonePaths() ?? []).union(paths).sorted()
    do throws(GitError) {
      return try await BlockingGit.run { isCancelled throws(GitError) in
        var found: [String: [String]] = [:]
        for path in borrowers {
          if isCancelled() { throw .cancelled }
          var lenders: Set<String> = []
          for folder in CloneProbe.objectFolders(path) {
            var above = folder
            while above != "/" {
              above = FileAccess.parent(of: above)
              if paths.contains(above), !FileAccess.isInside(path, above) { lenders.insert(above) }
            }
          }
          for lender in lenders { found[lender, default: []].append(path) }
        }
        return found
      }
    } catch {
      throw CancellationError()
    }
  }

  private init(_ clone: CloneRecord) {
    (self.clone, report, unpushed, isListed) = (clone, nil, nil, true)
  }

  /// - Parameters:
  ///   - inspected: The clone with `sections`, its last commit and, for a filter that asks for it, whether it
  ///     has unsaved work.
  ///   - filter: The conditions, `nil` for none.
  private init(_ clone: CloneRecord, _ inspected: InspectedClone, _ filter: CloneFilter?) {
    self.clone = clone
    (report, unpushed) = (inspected.report, inspected.unpushed)
    isListed = filter == nil
    do throws(InspectionError) {
      let report = try inspected.outcome.get()
      isListed = try filter?.matches(inspected) ?? true
      if isListed { try Self.check(report) }
    } catch {
      self.error = error
      isListed = filter == nil
      self.clone.error = error.message
    }
    self.clone.lastCommitAt = inspected.lastCommitAt ?? clone.lastCommitAt
    if let head = report?.head { (self.clone.branch, self.clone.commit) = (head.branch, head.commit) }
  }

  /// - Throws: `InspectionError` for a damaged clone, of which a part is missing.
  private static func check(_ report: InspectionReport) throws(InspectionError) {
    guard let missing = report.damagedSections.first else { return }
    let note = report.notes.first { $0.section == missing }?.message ?? "its \(missing) cannot be read"
    throw InspectionError(.corrupt, note)
  }

  package var document: JSONTree {
    .members(
      clone.members + [
        ("unpushed", unpushed?.json), ("upstream", report?.upstream?.json), ("status", report?.status?.json),
        ("stashes", report?.stashes?.json), ("operation", report?.operation?.json),
        ("lastFetchAt", report?.lastFetchAt?.json),
      ])
  }
}

extension CloneRecord {
  fileprivate var members: [(String, JSONTree?)] {
    [
      ("path", path.json), ("id", entityID?.json),
      ("renamedTo", addressID == nil ? nil : entityName?.json), ("url", remoteURL?.json),
      ("branch", branch?.json),
      ("commit", commit?.json), ("lastCommitAt", lastCommitAt?.json), ("language", language?.json),
      ("sizeBytes", sizeBytes?.json), ("error", error?.json),
    ]
  }
}
