import ForageCore
import ForagePluginProtocol
import Testing

/// The messages of the specification, as they stand there.
struct WireShapeTests {
  /// Decodes a text, encodes it again, and compares the two as values.
  private func roundTrip<Value: Codable>(_ type: Value.Type, _ text: String) throws -> (
    Value, JSONTree, JSONTree
  ) {
    let value = try JSONTree(parsing: text.utf8).decode(type)
    return (value, try JSONTree(encoding: value), try JSONTree(parsing: text.utf8))
  }

  @Test func initialize() throws {
    let (params, written, given) = try roundTrip(
      InitializeParams.self,
      #"{"protocol":1,"host":{"name":"forage","version":"1"},"config":{"url":"x","n":[1]},"secrets":{"token":"t"}}"#
    )
    #expect(params.config["n"] == .array([.integer(1)]))
    #expect(written == given)
    let (result, writtenResult, givenResult) = try roundTrip(
      InitializeResult.self, #"{"protocol":1,"version":"1.2.0"}"#)
    #expect(writtenResult == givenResult)
    #expect(result.version == "1.2.0")
  }

  @Test func search() throws {
    let text =
      #"{"provider":"acme","kind":"repo","text":["parser"],"filters":[{"n":0,"field":"language","op":"eq","value":"swift"}],"sort":"stars","order":"asc","limit":50,"cursor":null,"deadlineMs":2800}"#
    let (params, written, given) = try roundTrip(SearchParams.self, text)
    // The cursor is there even where it is null.
    #expect(written == given)
    #expect(written["cursor"] == .null)
    #expect(params.filters.map(\.op) == [.equal])
  }

  @Test func itemsAndAnswer() throws {
    let (_, written, given) = try roundTrip(
      ItemsParams.self,
      #"{"id":7,"seq":0,"items":[{"id":"42","kind":"repo","url":"https://a.example","title":"t","fields":{"stars":12}}]}"#
    )
    #expect(written == given)
    let (answer, writtenAnswer, givenAnswer) = try roundTrip(
      SearchAnswer.self,
      #"{"count":1,"next":"b2s9","unapplied":[],"complete":true,"total":{"value":900,"relation":"gte"},"rate":{"remaining":12,"resetMs":41000}}"#
    )
    #expect(writtenAnswer == givenAnswer)
    #expect(answer.rate?.resetMs == 41_000)
    let (cancel, _, _) = try roundTrip(CancelParams.self, #"{"id":7}"#)
    #expect(cancel.id == .number(7))
  }

  @Test func whatIsUnknownIsPassedOver() throws {
    let answer = try JSONTree(parsing: #"{"count":0,"later":true}"#.utf8).decode(
      SearchAnswer.self)
    #expect(answer == SearchAnswer(count: 0))
    let params = try JSONTree(parsing: #"{"protocol":1,"later":[]}"#.utf8).decode(
      InitializeParams.self)
    #expect(params == InitializeParams(host: ProgramInfo(name: "", version: "")))
  }

  @Test func aBadItemCostsOnlyItself() throws {
    let big = String(repeating: "x", count: PluginProtocol.Limits.item)
    let text =
      #"{"id":7,"seq":3,"items":[{"id":"1","kind":"k","title":"t"},5,{"id":6,"kind":"k","title":"t"},{"id":"2","kind":"k"},{"id":"3","kind":"k","title":"t","url":5,"fields":7,"related":[{"id":"a"},{"id":"b","why":"w"}]},{"id":"4","kind":"k","title":""#
      + big + #""}]}"#
    let batch = try #require(ItemBatch(JSONTree(parsing: text.utf8)))
    #expect(batch.items.map(\.id) == ["1", "3"])
    #expect(batch.items.last?.related == [RelatedItem(id: "b", why: "w")])
    #expect((batch.unreadable, batch.oversized, batch.sent, batch.seq) == (3, 1, 6, 3))
    #expect(batch.bytes > PluginProtocol.Limits.item)
    #expect(batch.values == 32)
  }

  @Test(arguments: [
    "{}", #"{"id":1,"seq":0}"#, #"{"id":1,"items":[]}"#, #"{"seq":1,"items":[]}"#,
    #"{"id":1,"seq":0,"items":{}}"#,
  ])
  func parametersWithoutItemsAreNone(_ text: String) throws {
    #expect(ItemBatch(try JSONTree(parsing: text.utf8)) == nil)
  }
}
