import ForageCore
import Testing

@testable import ForageSetup

/// Which of several tokens a request gets.
struct OwnedVariableTests {
  @Test(
    arguments: [
      ("repo:acme/app x", "acme"), ("repo:git.example.com/Acme/Platform/x", "acme/platform"),
      ("user:Kim", "kim"),
      ("org:acme repo:acme/a", "acme"), ("repo:acme/a OR repo:acme/b", nil), ("user:a user:b", nil),
      ("-user:acme x", nil), ("acme", nil), ("repo:/home/kim/x", nil), ("repo:größe/x", "größe"),
    ] as [(String, String?)])
  func ownerOfAQuery(_ query: String, _ owner: String?) throws {
    #expect(RequestOwner.of(try QueryParser().parse(query).root) == owner)
  }

  @Test(
    arguments: [
      ("acme", "WORK"), ("ACME/platform/x", "WORK"), ("acme-labs", "WORK"), ("acmelabs", "OWN"),
      ("kim", "OWN"),
      (nil, "OWN"), ("[x]", "OWN"), ("größe", "WORK"),
    ] as [(String?, String)])
  func theFirstThatFits(_ owner: String?, _ name: String) {
    let variables = [
      OwnedVariable(name: "WORK", owners: ["Acme", "acme-*", "Größe"]), OwnedVariable(name: "OWN"),
    ]
    RequestOwner.$current.withValue(owner) {
      #expect(variables.current == name)
      #expect([variables[0]].current == (name == "WORK" ? name : nil))
    }
    RequestOwner.$tested.withValue("WORK") { #expect(variables.current == "WORK") }
  }
}
