import ForageCore
import ForagePluginProtocol
import Testing

struct MessageTests {
  @Test(arguments: [
    #"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocol":1}}"#,
    #"{"jsonrpc":"2.0","method":"$/cancel","params":{"id":7}}"#,
    #"{"jsonrpc":"2.0","id":7,"result":{"count":1}}"#,
    #"{"jsonrpc":"2.0","id":"a","error":{"code":1003,"data":{"retryAfterMs":5},"message":"slow"}}"#,
    #"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"?"}}"#,
  ])
  func aMessageIsWrittenAsItWasRead(_ line: String) throws {
    let message = try Message(parsing: line.utf8)
    #expect(String(decoding: message.line, as: UTF8.self) == line + "\n")
  }

  @Test(arguments: [
    ("", MessageError.notJSON), ("hello", .notJSON), (#"{"jsonrpc":"2.0""#, .notJSON), ("[]", .batch),
    (#"[{"jsonrpc":"2.0","method":"a"}]"#, .batch), ("1", .notMessage(id: nil)), ("{}", .notMessage(id: nil)),
    (#"{"id":3,"result":{}}"#, .notMessage(id: .number(3))),
    (#"{"jsonrpc":"1.0","id":3,"result":{}}"#, .notMessage(id: .number(3))),
    (#"{"jsonrpc":"2.0","id":3,"result":{},"error":{"code":1}}"#, .notMessage(id: .number(3))),
    (#"{"jsonrpc":"2.0","id":3}"#, .notMessage(id: .number(3))),
    (#"{"jsonrpc":"2.0","id":null,"result":{}}"#, .notMessage(id: nil)),
    (#"{"jsonrpc":"2.0","id":1.5,"method":"a"}"#, .notMessage(id: nil)),
    (#"{"jsonrpc":"2.0","id":1,"method":5}"#, .notMessage(id: .number(1))),
    (#"{"jsonrpc":"2.0","id":1,"method":"a","params":[1]}"#, .notMessage(id: .number(1))),
    (#"{"jsonrpc":"2.0","id":1,"error":"no"}"#, .notMessage(id: .number(1))),
    (String(repeating: "[", count: 100_000), .tooDeep),
    (#"{"jsonrpc":"2.0","id":1,"result":"# + String(repeating: "[", count: 64), .tooDeep),
  ])
  func whatIsNoMessageIsToldApart(_ line: String, _ error: MessageError) {
    #expect(throws: error) { try Message(parsing: line.utf8) }
  }

  @Test func tooManyValues() {
    let answer = #"{"id":"a","result":["# + String(repeating: "0,", count: 100_000) + #"0],"jsonrpc":"2.0"}"#
    #expect(throws: MessageError.tooMany) { try Message(parsing: answer.utf8) }
  }

  @Test(arguments: [
    ("1500", 1500), ("1500.0", 1500), ("1500.2", 1501), ("1e3", 1000), ("1e300", 86_400_000), ("-5", 0),
    ("\"5\"", nil),
  ])
  func aWaitMayHaveAFraction(_ number: String, _ milliseconds: Int?) throws {
    let line = #"{"jsonrpc":"2.0","id":7,"error":{"code":1003,"data":{"retryAfterMs":\#(number)}}}"#
    guard case .failure(_, let error) = try Message(parsing: line.utf8) else {
      Issue.record("not read as an error")
      return
    }
    #expect(SearchError(error, from: "Acme").retryAfterMilliseconds == milliseconds)
  }

  @Test func bytesThatAreNoTextAreNoMessage() {
    var line = Array(#"{"jsonrpc":"2.0","method":"a","params":{"x":"?"}}"#.utf8)
    for byte: UInt8 in [0x80, 0xFF, 0xC3] {
      line[line.count - 4] = byte
      #expect(throws: MessageError.notJSON) { try Message(parsing: line) }
    }
  }
}
