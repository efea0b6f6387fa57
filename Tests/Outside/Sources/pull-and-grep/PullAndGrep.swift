import Forage
import ForageCore

/// Pulls the clones that are named behind a query, and prints the lines that fit it in their files.
@main struct PullAndGrep {
  static func main() async throws {
    let arguments = CommandLine.arguments.dropFirst()
    guard let query = arguments.first else { return print("name a query, then clones") }
    let names = Array(arguments.dropFirst())
    let forage = try Forage()
    try await forage.pullClones(names) { print($0.path, $0.status, $0.reason ?? "") }
    for file in try await forage.grep(query, in: names) {
      guard case .items(let matches)? = file[.matches] else { continue }
      for match in matches { print(file.title, match) }
    }
    await forage.close()
  }
}
