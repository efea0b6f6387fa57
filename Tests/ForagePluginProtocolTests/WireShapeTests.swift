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
      #"{"provider":"acme","kind":"repo","text":["parser"],"filters":[{"field":"language","op":"eq","value":"swift"},{"field":"text","op":"eq","value":"a b","negated":true}],"sort":null,"limit":50,"cursor":null,"deadlineMs":2800}"#
    let (params, written, given) = try roundTrip(SearchParams.self, text)
    // The members are there even where they are null.
    #expect(written == given)
    #expect(params.filters.map(\.negated) == [nil, true])
  }

  @Test func itemsAndAnswer() throws {
    let (_, written, given) = try roundTrip(
      ItemsParams.self,
      #"{"id":7,"items":[{"id":"42","kind":"repo","url":"https://a.example","title":"t","fields":{"stars":12}}]}"#
    )
    #expect(written == given)
    let (answer, writtenAnswer, givenAnswer) = try roundTrip(
      SearchAnswer.self,
      #"{"count":1,"next":"b2s9","total":{"value":900,"relation":"gte"},"notes":[{"code":"own","message":"m","incomplete":true}],"items":[{"id":"42","kind":"repo","title":"t"}]}"#
    )
    #expect(writtenAnswer == givenAnswer)
    #expect(answer.total == ResultTotal(900, .atLeast))
    let (cancel, _, _) = try roundTrip(CancelParams.self, #"{"id":7}"#)
    #expect(cancel.id == .number(7))
  }

  @Test func whatIsUnknownIsPassedOver() throws {
    let answer = try JSONTree(parsing: #"{"count":0,"later":true}"#.utf8).decode(
      SearchAnswer.self)
    #expect(answer == SearchAnswer(count: 0))
    let result = try JSONTree(parsing: #"{"protocol":1,"version":"1","later":[]}"#.utf8).decode(
      InitializeResult.self)
    #expect(result == InitializeResult(version: "1"))
  }

  @Test func aBadItemCostsOnlyItself() throws {
    let big = String(repeating: "x", count: PluginProtocol.Limits.item)
    let text =
      #"[{"id":"1","kind":"k","title":"t"},5,{"id":6,"kind":"k","title":"t"},{"id":"2","kind":"k"},{"id":"3","kind":"k","title":"t","url":5,"fields":7,"related":[{"id":"a"},{"id":"b","why":"w"}]},{"id":"4","kind":"k","title":""#
      + big + #""}]"#
    let batch = ItemBatch(try #require(JSONTree(parsing: text.utf8).array))
    #expect(batch.items.map(\.id) == ["1", "3"])
    #expect(batch.items.last?.related == [RelatedItem(id: "b", why: "w")])
    #expect((batch.unreadable, batch.oversized, batch.sent) == (3, 1, 6))
    #expect(batch.bytes > PluginProtocol.Limits.item)
    #expect(batch.values == 28)
  }

  /// The size is about that of the JSON.
  @Test func itemsAreMeasured() throws {
    let text = #"{"id":"é","list":["a","b"],"yes":true}"#
    #expect(ItemBatch([try JSONTree(parsing: text.utf8)]).bytes == text.utf8.count)
  }
}
