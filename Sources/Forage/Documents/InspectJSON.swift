import ForageFoundation
package import ForageGit
package import ForageInspector

/// Reports about clones as JSON: members in a fixed order, unknown ones left out.
///
/// Written by hand: an encoder does not keep the order of the members, and sorting those of thousands of authors takes longer than the inspection.
package enum InspectJSON {
  /// A report.
  package static func document(_ report: InspectionReport) -> JSONValue {
    .members(place(report) + refs(report) + history(report) + content(report) + store(report))
  }

  /// A clone that could not be inspected.
  package static func document(_ path: String, _ error: GitError) -> JSONValue {
    .members([("schema", .int(1)), ("path", .string(path)), ("error", self.error(error))])
  }

  /// Why a clone could not be inspected.
  package static func error(_ error: GitError) -> JSONValue {
    .members([
      ("code", .string(error.code.rawValue)), ("message", .string(error.message)),
      ("hint", error.hint.isEmpty ? nil : .string(error.hint)),
    ])
  }

  private static func place(_ report: InspectionReport) -> [(String, JSONValue?)] {
    [
      ("schema", .int(report.schema)), ("path", .string(report.path)), ("gitDir", .string(report.gitDir)),
      ("bare", .bool(report.bare)), ("worktree", .bool(report.worktree)), ("shallow", .bool(report.shallow)),
      ("empty", .bool(report.empty)), ("operation", text(report.operation)),
      (
        "head",
        report.head.map { head in
          .members([
            ("branch", text(head.branch)), ("ref", text(head.ref)), ("detached", .bool(head.detached)),
            ("unborn", .bool(head.unborn)), ("commit", text(head.commit)),
          ])
        }
      ), ("upstream", report.upstream.map(upstream)),
    ]
  }

  private static func refs(_ report: InspectionReport) -> [(String, JSONValue?)] {
    [
      (
        "branches",
        report.branches.map { .members([("local", .int($0.local)), ("remote", .int($0.remote))]) }
      ), ("defaultBranch", text(report.defaultBranch)),
      (
        "tags",
        report.tags.map { tags in
          .members([
            ("count", .int(tags.count)),
            (
              "nearest",
              tags.nearest.map { .members([("name", .string($0.name)), ("distance", .int($0.distance))]) }
            ), ("highest", text(tags.highest)),
          ])
        }
      ),
      ("remotes", list(report.remotes) { [("name", .string($0.name)), ("url", .string($0.url))] }),
      ("status", report.status.map(status)), ("stashes", number(report.stashes)),
    ]
  }

  private static func history(_ report: InspectionReport) -> [(String, JSONValue?)] {
    [
      (
        "commits",
        report.commits.map { commits in
          .members([
            ("count", .int(commits.count)), ("merges", .int(commits.merges)),
            ("first", commits.first.map(commit)), ("last", commits.last.map(commit)),
          ])
        }
      ), ("authorCount", number(report.authorCount)), ("busFactor", number(report.busFactor)),
      (
        "authors",
        list(report.authors) { author in
          [
            ("name", .string(author.name)), ("email", .string(author.email)),
            ("commits", .int(author.commits)), ("share", fraction(author.share)),
            ("firstAt", .date(author.firstAt)), ("lastAt", .date(author.lastAt)),
          ]
        }
      ),
      (
        "activity",
        report.activity.map { activity in
          .members([
            (
              "weeks",
              list(activity.weeks) { [("start", .string($0.start)), ("commits", .int($0.commits))] }
            ), ("weekdays", .array(activity.weekdays.map(JSONValue.int))),
            ("hours", .array(activity.hours.map(JSONValue.int))),
          ])
        }
      ),
      (
        "churn",
        report.churn.map { churn in
          .members([
            ("commits", .int(churn.commits)),
            (
              "files",
              list(churn.files) { file in
                [
                  ("path", .string(file.path)), ("commits", .int(file.commits)),
                  (
                    "author",
                    file.author.map { .object([("name", .string($0.name)), ("commits", .int($0.commits))]) }
                  ),
                ]
              }
            ),
          ])
        }
      ),
      (
        "effort",
        list(report.effort) {
          [
            ("name", .string($0.name)), ("email", .string($0.email)), ("added", .int($0.added)),
            ("removed", .int($0.removed)),
          ]
        }
      ),
    ]
  }

  private static func content(_ report: InspectionReport) -> [(String, JSONValue?)] {
    [
      (
        "languages",
        list(report.languages) {
          [("name", .string($0.name)), ("bytes", .int($0.bytes)), ("share", fraction($0.share))]
        }
      ),
      (
        "lines",
        list(report.lines) {
          [
            ("language", .string($0.language)), ("files", .int($0.files)), ("code", .int($0.code)),
            ("comment", .int($0.comment)), ("blank", .int($0.blank)),
          ]
        }
      ),
      (
        "skipped",
        report.skipped.map {
          .members([
            ("vendored", .int($0.vendored)), ("generated", .int($0.generated)), ("binary", .int($0.binary)),
          ])
        }
      ),
      (
        "files",
        list(report.files) {
          [
            ("path", .string($0.path)), ("language", .string($0.language)), ("code", .int($0.code)),
            ("comment", .int($0.comment)), ("blank", .int($0.blank)),
          ]
        }
      ),
      (
        "licenses",
        list(report.licenses) {
          [("spdx", text($0.spdx)), ("path", .string($0.path)), ("nearest", text($0.nearest))]
        }
      ),
      (
        "size",
        report.size.map {
          .members([
            ("files", number($0.files)), ("bytes", number($0.bytes)), ("packs", .int($0.packs)),
            ("packBytes", .int($0.packBytes)), ("looseObjects", .int($0.looseObjects)),
            ("looseBytes", .int($0.looseBytes)),
          ])
        }
      ),
      (
        "version",
        report.version.map {
          .members([
            ("name", .string($0.name)), ("source", .string($0.source)), ("path", text($0.path)),
          ])
        }
      ),
      (
        "largestFiles", list(report.largestFiles) { [("path", .string($0.path)), ("bytes", .int($0.bytes))] }
      ),
      (
        "largestBlobs",
        list(report.largestBlobs) {
          [("path", .string($0.path)), ("bytes", .int($0.bytes)), ("commit", .string($0.commit))]
        }
      ),
      (
        "dependencies",
        list(report.dependencies) { [("manifest", .string($0.manifest)), ("count", .int($0.count))] }
      ),
    ]
  }

  private static func store(_ report: InspectionReport) -> [(String, JSONValue?)] {
    [
      (
        "submodules",
        list(report.submodules) {
          [
            ("path", .string($0.path)), ("url", text($0.url)), ("commit", text($0.commit)),
            ("state", .string($0.state)),
          ]
        }
      ), ("worktrees", list(report.worktrees) { [("path", .string($0.path)), ("branch", text($0.branch))] }),
      ("lfs", flag(report.lfs)), ("hooks", report.hooks.map { .array($0.map(JSONValue.string)) }),
      ("alternates", report.alternates.map { .array($0.map(JSONValue.string)) }),
      ("signedShare", report.signedShare.map(fraction)),
      ("lastFetchAt", report.lastFetchAt.map(JSONValue.date)), ("commitGraph", flag(report.commitGraph)),
      ("partial", flag(report.partial)), ("sparse", flag(report.sparse)),
      ("notes", list(report.notes) { [("section", .string($0.section)), ("message", .string($0.message))] }),
    ]
  }

  /// The upstream of the branch.
  package static func upstream(_ upstream: InspectionReport.Upstream) -> JSONValue {
    .members([
      ("name", .string(upstream.name)), ("ahead", number(upstream.ahead)),
      ("behind", number(upstream.behind)),
    ])
  }

  /// The number of changed paths.
  package static func status(_ status: InspectionReport.Status) -> JSONValue {
    .members([
      ("clean", .bool(status.clean)), ("staged", .int(status.staged)), ("unstaged", .int(status.unstaged)),
      ("untracked", .int(status.untracked)), ("conflicted", .int(status.conflicted)),
    ])
  }

  private static func commit(_ commit: InspectionReport.Commit) -> JSONValue {
    .members([
      ("commit", .string(commit.commit)), ("author", .string(commit.author)),
      ("authoredAt", .date(commit.authoredAt)), ("subject", text(commit.subject)),
    ])
  }

  private static func text(_ text: String?) -> JSONValue? { text.map(JSONValue.string) }
  private static func number(_ number: Int?) -> JSONValue? { number.map(JSONValue.int) }
  private static func flag(_ flag: Bool?) -> JSONValue? { flag.map(JSONValue.bool) }

  /// A part of a whole; 0 and 1 without decimals.
  private static func fraction(_ part: Double) -> JSONValue {
    part == 0 ? .int(0) : part == 1 ? .int(1) : .double(part)
  }

  private static func list<Element>(
    _ elements: [Element]?, _ members: (Element) -> [(String, JSONValue?)]
  ) -> JSONValue? {
    elements.map { .array($0.map { .members(members($0)) }) }
  }
}
