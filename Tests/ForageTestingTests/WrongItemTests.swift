import ForageCore
import ForageTesting
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Providers with one wrong item: just one check fails.
@Suite struct WrongItemTests {
  private let place = "repo \"parser\" page 1 item 2"

  @Test func wrongKind() async {
    await expect(
      WrongProvider.item { $0.kind = "story" }, fails: ["kind"],
      line: "kind: \(place) (forge.example/acme/r1): expected the kind repo, but it is story")
  }

  @Test func emptyID() async {
    await expect(
      WrongProvider.item { $0.id = "" }, fails: ["id-present"],
      line: "id-present: \(place) (acme/r1): expected an id, but it is empty")
  }

  @Test func emptyTitle() async {
    await expect(
      WrongProvider.item { $0.title = "" }, fails: ["title"],
      line: "title: \(place) (forge.example/acme/r1): expected a title, but it is empty")
  }

  @Test func credentialsInAddress() async {
    await expect(
      WrongProvider.item { $0.url = "https://me:hunter2@forge.example/acme/r1" }, fails: ["url"],
      line: "url: \(place) (forge.example/acme/r1): expected a web address without credentials, "
        + "but https://…@forge.example has some")
    await expect(
      WrongProvider.item { $0.url = "https://forge.example/acme/r1?access_token=hunter2" }, fails: ["url"],
      line: "url: \(place) (forge.example/acme/r1): expected a web address without credentials, "
        + "but https://forge.example/…?… has some")
  }

  @Test(arguments: ["/acme/r1", "ssh://forge.example/acme/r1", "https:///acme", "https://forge.example/a b"])
  func noWebAddress(_ url: String) async {
    await expect(
      WrongProvider.item { $0.url = url }, fails: ["url"],
      line: "url: \(place) (forge.example/acme/r1): expected a web address without credentials, "
        + "but it is \"\(url)\"")
  }

  @Test func escapeInID() async {
    await expect(
      WrongProvider.item { $0.forgeID = "forge.example:\u{1B}[2J" }, fails: ["control-characters"],
      line: "control-characters: \(place) (forge.example/acme/r1): expected a plain forge id, "
        + "but it is forge.example:␛[2J")
  }

  @Test func undeclaredField() async {
    await expect(
      WrongProvider.item { $0["karma"] = .text("good") }, fails: ["fields-declared"],
      line: "fields-declared: \(place) (forge.example/acme/r1): expected only declared fields, "
        + "but it also has karma")
  }

  @Test func wrongType() async {
    await expect(
      WrongProvider.item { $0[.archived] = .text("false") },
      fails: ["field-types"],
      line: "field-types: \(place) (forge.example/acme/r1): expected archived to be a flag, "
        + "but it is \"false\"",
      samples: Shelf.samples(["parser", "http"]))
  }

  @Test func emptyField() async {
    await expect(
      WrongProvider.item { $0[.topics] = .list([]) }, fails: ["fields-not-empty"],
      line: "fields-not-empty: \(place) (forge.example/acme/r1): expected topics to be a list or no field, "
        + "but it is empty")
  }

  @Test func standInNumber() async {
    let provider = Shelf.provider { $0.sorts = [] }
    let wrong = WrongProvider.page(of: provider) { page, _ in
      for place in page.items.indices where page.items[place].id == Shelf.items[1].id {
        page.items[place][.stars] = .number(-1)
      }
    }
    await expect(
      wrong, fails: ["numbers"],
      line: "numbers: \(place) (forge.example/acme/r1): expected stars to be 0 or more, or no field, "
        + "but it is -1",
      samples: Shelf.samples(["parser", "http"]))
  }

  @Test func standInDate() async {
    let provider = Shelf.provider { $0.sorts = [] }
    let wrong = WrongProvider.page(of: provider) { page, _ in
      for place in page.items.indices where page.items[place].id == Shelf.items[1].id {
        page.items[place][.createdAt] = .date(Date(timeIntervalSince1970: 0))
      }
    }
    await expect(
      wrong, fails: ["dates"],
      line: "dates: \(place) (forge.example/acme/r1): expected createdAt to be a date after 1970-01-01 "
        + "and not in the future, or no field, but it is 1970-01-01T00:00:00Z",
      samples: Shelf.samples(["parser", "http"]))
  }
}
