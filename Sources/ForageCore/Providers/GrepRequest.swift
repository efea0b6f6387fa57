/// What is looked for in the text of clones, and where.
package struct GrepRequest: Sendable {
  /// How case is treated.
  package enum CaseRule: Sendable {
    /// Case is ignored unless a pattern has an upper-case letter.
    case smart
    case ignored
    case exact
  }

  /// The files that are searched.
  package enum Scope: Sendable {
    /// What is below these folders, and these files: absolute paths without links.
    case paths([String])
    /// The whole clones that contain these folders.
    case wholeClones([String])
    /// Every clone of the catalogue, and the one that contains the current folder.
    case all
    /// The clones that names, globs or words mean.
    case clones([String])
  }

  /// What is wanted of a file.
  package enum Report: Sendable {
    case lines
    /// The number of matching lines.
    case counts
    /// Whether there is a match.
    case names
    /// Whether there is none.
    case namesWithoutMatch
  }

  /// Regular expressions, or literal texts, one of which a line has.
  package var patterns: [String] = []
  package var isLiteral = false
  /// Whether no word character may stand directly before or behind a match.
  package var matchesWords = false
  /// Whether a match must be a whole line; no word is looked at then.
  package var matchesLines = false
  package var caseRule = CaseRule.smart
  /// Whether a match may extend over several lines.
  package var crossesLines = false
  /// Whether of a match over several lines only the first line is a matching line.
  package var countsFirstLines = false
  /// The name that a line must define; there are no patterns then.
  package var symbol: String?

  package var scope: Scope
  /// How paths of the scope were typed, by the bytes of the path; those that nobody named are not here.
  package var typedPaths: [[UInt8]: String] = [:]
  /// Globs in the syntax of gitignore, with `!` before those that exclude; the last one that fits decides.
  package var globs: [String] = []
  /// The names of the languages of which files are searched; empty for all.
  package var languages: Set<String> = []
  /// The names of the languages of which no files are searched.
  package var otherLanguages: Set<String> = []
  /// Whether files and folders are searched whose names begin with a dot.
  package var includesHidden = false
  /// Whether ignored files are searched.
  package var includesIgnored = false
  package var includesTests = true
  /// How deep below a folder files are searched, 1 for those in it; `nil` for any depth.
  package var maximumDepth: Int?
  /// The branch, tag or commit whose files are searched instead of those on disk.
  package var ref: String?

  package var report = Report.lines
  /// The most matching lines of a file; `nil` for all.
  package var maximumCount: Int?
  /// The lines before and behind each matching line.
  package var context = (before: 0, after: 0)
  /// Whether all matches of a line are wanted, and not the first one alone.
  package var wantsRanges = false
  /// Whether files are delivered with their texts and lines.
  package var wantsText = true
  /// Whether files are delivered as results of a search, too.
  package var wantsResults = false
  /// Whether files of several clones come in the order of their ranks, and not of their paths.
  package var ranks = false

  package init(scope: Scope) { self.scope = scope }
}

/// A file in which something was found.
package struct GrepFile: Sendable {
  /// A line of the text.
  package struct Line: Sendable, Equatable {
    /// The number in the file, from 1.
    package var number: Int
    /// The bytes in the text, without the line feed.
    package var range: Range<Int>
    /// The byte in the line at which the first match begins, from 1; `nil` for a line of the context.
    package var column: Int?
    /// The matches in the line, as bytes of the text, if they are wanted.
    package var matches: [Range<Int>] = []

    package init(number: Int, range: Range<Int>, column: Int? = nil, matches: [Range<Int>] = []) {
      (self.number, self.range, self.column, self.matches) = (number, range, column, matches)
    }
  }

  /// `owner/name`, or the root of a clone without a forge.
  package var clone: String
  /// The canonical id of the repository, or the root of a clone without a forge.
  package var repository: String
  /// The path in the repository.
  package var path: [UInt8]
  /// The absolute path on disk; `nil` for a file that is only in the repository.
  package var file: [UInt8]?
  /// The text, if it is wanted.
  package var text: [UInt8] = []
  /// The matching lines and their context, in order.
  package var lines: [Line] = []
  /// The number of matching lines.
  package var count = 0
  package var result: SearchResult?

  package init(clone: String, repository: String, path: [UInt8], file: [UInt8]?) {
    (self.clone, self.repository, self.path, self.file) = (clone, repository, path, file)
  }
}

/// What was searched.
package struct GrepSummary: Sendable {
  package var coverage = SearchCoverage()
  /// What was asked for and is not there.
  package var errors: [Note] = []
  /// What could not be searched.
  package var notes: [Note] = []
  /// The number of clones that were searched.
  package var clones = 0

  package init() {}
}
