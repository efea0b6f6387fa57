import ForageHTTP
import Testing

@Suite struct LinkHeaderTests {
  @Test(arguments: [
    (#"<https://h/?page=2>; rel="next", <https://h/?page=9>; rel="last""#, "https://h/?page=2"),
    (#"<https://h/?page=9>; rel="last", <https://h/?page=2>; rel="next""#, "https://h/?page=2"),
    (
      #"<https://h/1>; rel="prev",<https://h/3>;rel="next",<https://h/9>;rel="last",<https://h/1>;rel="first""#,
      "https://h/3"
    ),
    (#"<https://h/2>; rel=next"#, "https://h/2"),
    (#"<https://h/2>; REL="NEXT""#, "https://h/2"),
    (#"<https://h/2>; rel = "next" "#, "https://h/2"),
    (#"<https://h/9>; rel="last next""#, "https://h/9"),
    (#"<https://h/1>; rel="nextish", <https://h/2>; rel="next""#, "https://h/2"),
    (#"<https://h/2>; title="one, two"; rel="next""#, "https://h/2"),
    (#"<https://h/1>; title="a, rel=next, b"; rel="prev", <https://h/2>; rel="next""#, "https://h/2"),
    (#"<https://h/2>; rel="next"; title="x=y""#, "https://h/2"),
    (#"<https://h/?a=1,2&b=<>; rel="prev", <https://h/2>; rel="next""#, "https://h/2"),
    (#"<https://h/1>; rel="prev", <https://h/2>; rel="next", <https://h/3>; rel="next""#, "https://h/2"),
    (#"</search?q=a&page=2>; rel="next""#, "/search?q=a&page=2"),
    // A separator inside a quoted value separates nothing.
    (#"<https://h/1>; title="a; rel=next; b"; rel="prev", <https://h/2>; rel="next""#, "https://h/2"),
    (#"<https://h/2>; title="1 < 2"; rel="next""#, "https://h/2"),
  ])
  func next(header: String, expected: String) {
    #expect(LinkHeader.target("next", in: header) == expected)
  }

  @Test(arguments: [
    "", "next", #"rel="next""#, "<https://h/2>", #"<https://h/2; rel="next""#, #"<https://h/2>; rel="prev""#,
    #"<https://h/2>; title="next""#, #"<https://h/2>; rel="#, #"<https://h/2>; rel="""#, "<", "<>", ",,,;;;",
    #"<https://h/2>; rev="next""#,
  ])
  func none(header: String) {
    #expect(LinkHeader.target("next", in: header) == nil)
  }

  @Test func otherRelations() {
    let header = #"<https://h/1>; rel="first prev", <https://h/3>; rel="next", <https://h/9>; rel="last""#
    #expect(LinkHeader.target("first", in: header) == "https://h/1")
    #expect(LinkHeader.target("prev", in: header) == "https://h/1")
    #expect(LinkHeader.target("last", in: header) == "https://h/9")
    #expect(LinkHeader.target("up", in: header) == nil)
  }
}
