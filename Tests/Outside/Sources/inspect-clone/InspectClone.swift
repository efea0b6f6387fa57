import ForageInspector

/// Prints facts of the clone in the folder that the first argument names.
@main struct InspectClone {
  static func main() throws {
    let path = CommandLine.arguments.dropFirst().first ?? "."
    let report = try Inspector().inspect(
      path: path, sections: [.head, .status, .commits, .authorCount, .languages, .licenses])
    print("branch:", report.head?.branch ?? "detached")
    print("clean:", report.status?.clean ?? true)
    print("commits:", report.commits?.count ?? 0, "by", report.authorCount ?? 0, "authors")
    for language in report.languages ?? [] {
      print("language:", language.name, "\(Int(language.share * 100)) %")
    }
    print("license:", report.licenses?.first?.spdx ?? "unknown")
    for note in report.notes { print("incomplete:", note.section, note.message) }
  }
}
