import Forage
import ForageCore

/// A list of tasks.
struct Tasks: SearchProvider {
  let info = ProviderInfo(id: "tasks", name: "Tasks")
  let kinds: [ResultKind: Abilities] = [.repo: Abilities(fields: [.description])]

  func search(_ request: SearchRequest) async throws -> SearchPage {
    let task = SearchResult(id: "tasks:1", kind: .repo, title: "write a parser")
    return SearchPage(items: request.matches(task) ? [task] : [])
  }
}

/// Searches GitHub, the clones on this machine and the tasks for the words that are the program's arguments.
@main struct SearchEverywhere {
  static func main() async throws {
    let forage = try Forage(adding: [Tasks()])
    for try await update in forage.search(CommandLine.arguments.dropFirst().joined(separator: " ")) {
      if case .finished(let report) = update {
        for item in report.items { print(item.result.title, item.sources.map(\.provider)) }
      }
    }
    await forage.close()
  }
}
