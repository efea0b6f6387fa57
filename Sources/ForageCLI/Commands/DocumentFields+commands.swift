import ArgumentParser
import Forage
import ForageCore
import ForageInspector

/// The fields of each command's document; a command that is not here accepts any name.
extension DocumentFields {
  static let any = DocumentFields([])
  /// `search`, `stars`, `feed`.
  static let items = DocumentFields(SearchJSON.fieldNames, list: "items")
  /// `show`: the fields of the item, and the members beside it.
  static let shown = DocumentFields(SearchJSON.fieldNames + ["local", "providers", "notes"], inner: "item")
  /// `inspect`.
  static let inspection = DocumentFields([
    "schema", "path", "gitDir", "bare", "worktree", "shallow", "empty", "operation", "head", "upstream",
    "branches", "defaultBranch", "tags", "remotes", "status", "stashes", "commits", "authorCount",
    "busFactor", "authors", "activity", "churn", "effort", "languages", "lines", "skipped", "files",
    "licenses", "size", "version", "largestFiles", "largestBlobs", "dependencies", "submodules", "worktrees",
    "lfs", "hooks",
    "alternates", "signedShare", "lastFetchAt", "commitGraph", "partial", "sparse", "notes", "error",
  ])
  /// `clones list`.
  static let clones = DocumentFields(
    [
      "path", "id", "url", "branch", "commit", "lastCommitAt", "language", "sizeBytes", "error", "upstream",
      "status", "stashes",
    ], list: "clones")
  /// `favorite list`.
  static let favorites = DocumentFields(SearchJSON.fieldNames + ["addedAt"], list: "favorites")
  private static let provider = [
    "id", "name", "origin", "enabled", "kinds", "qualifiers", "sorts", "feed", "details", "abilities",
    "hosts", "config", "secrets", "reason",
  ]
  /// `providers list`.
  static let providers = DocumentFields(provider, list: "providers")
  /// `providers show`.
  static let oneProvider = DocumentFields(provider)
  /// `plugin list`.
  static let plugins = DocumentFields(
    ["id", "type", "version", "state", "path", "command", "hosts", "secrets", "reason"], list: "plugins")
  /// `auth status`.
  static let hosts = DocumentFields(
    [
      "host", "api", "providers", "authenticated", "source", "valid", "login", "scopes", "reason", "tried",
      "skipped", "withheld",
    ], list: "hosts")
  /// `doctor`.
  static let checks = DocumentFields(["name", "verdict", "message", "hint"], list: "checks")
}

extension ShowCommand {
  static var fields: DocumentFields { .shown }

  func validate() throws {
    guard web, let option = reporting.jq != nil ? "--jq" : reporting.json != nil ? "--json" : nil else {
      return
    }
    throw ValidationError("--web and \(option) exclude each other\n--web opens a page and prints nothing")
  }
}

extension InspectCommand {
  static var fields: DocumentFields { .inspection }

  /// Members that do not belong to one section.
  private static let general: Set<String> = ["operation", "skipped", "notes", "error"]

  /// `--json` computes only the sections that its fields name, unless the sections are chosen.
  mutating func validate() throws {
    guard let names = reporting.fieldNames, only.isEmpty, with.isEmpty, without.isEmpty else { return }
    let sections = names.filter { InspectionSection(rawValue: $0) != nil }
    if names.contains(where: Self.general.contains) {
      with = sections
    } else {
      only = sections.isEmpty ? [InspectionSection.head.rawValue] : sections
    }
  }
}

extension ClonesCommand.List {
  static var fields: DocumentFields { .clones }

  /// `--json` with a field of `--status` needs the status.
  mutating func validate() throws {
    let inspected: Set<String> = ["upstream", "status", "stashes"]
    if reporting.fieldNames?.contains(where: inspected.contains) == true { status = true }
  }
}

extension FavoriteCommand.List {
  static var fields: DocumentFields { .favorites }
}

extension ProvidersCommand.List {
  static var fields: DocumentFields { .providers }
}

extension ProvidersCommand.Show {
  static var fields: DocumentFields { .oneProvider }
}

extension PluginCommand.List {
  static var fields: DocumentFields { .plugins }
}

extension AuthCommand.Status {
  static var fields: DocumentFields { .hosts }
}

extension DoctorCommand {
  static var fields: DocumentFields { .checks }
}

extension CloneCommand {
  static var fields: DocumentFields { DocumentFields(["id", "path", "state", "error"], list: "clones") }
}
