import Forage
import ForageCore

/// Lines of a list of tasks, as a provider.
struct Tasks: SearchProvider {
  let descriptor = ProviderDescriptor(
    id: "tasks", name: "Tasks", kinds: ["task": .init(qualifiers: [:], fields: [])])

  func search(_ request: SearchRequest) async throws -> SearchPage {
    let all = ["write a parser", "test the parser"].map {
      SearchResult(id: "tasks:" + $0, kind: "task", title: $0)
    }
    return SearchPage(items: all.filter { request.query?.matches($0) ?? true })
  }
}

@main struct SearchEverywhere {
  static func main() async throws {
    let forage = try Forage(adding: [Tasks()])
    for try await event in forage.search("parser language:swift") {
      if case .ended(let result) = event { for item in result.items { print(item.result.title) } }
    }
  }
}
