import ForageCore
import Testing

/// A way to misbehave, and what the user is told of it.
struct HostilePlugin: Sendable, CustomTestStringConvertible {
  var name: String
  var script: String
  /// How the error goes on behind `the plugin Hostile`, or that part of it that does not vary.
  var told: String
  var code: SearchError.Code = .invalidResponse
  /// How many items are kept.
  var kept = 0
  /// How long it may take, where it would take for ever.
  var timeout: Duration = .seconds(120)
  /// Whether it does not even greet.
  var isMute = false

  var testDescription: String { name }

  /// One of each kind.
  static let all: [HostilePlugin] = greetings + pages + noises + endings

  private static let briefly = Duration.milliseconds(1500)

  private static let greetings = [
    HostilePlugin(
      name: "silent from the start", script: "wait_forever()",
      told: "did not answer initialize within 1 s of its start",
      code: .timeout,
      isMute: true),
    HostilePlugin(
      name: "exits before hello", script: #"sys.exit("no database\n")"#,
      told: "exited unexpectedly with status 1; its last output was: no database", code: .connectionLost),
    HostilePlugin(
      name: "killed before hello", script: "os.kill(os.getpid(), signal.SIGKILL)",
      told: "was terminated by signal 9",
      code: .connectionLost),
    HostilePlugin(
      name: "wrong version",
      script: """
        request = receive()
        send({"id": request["id"], "result": {"protocol": 2, "version": "1"}})
        wait_forever()
        """, told: "uses version 2 of the protocol, but this program supports version 1"),
    HostilePlugin(
      name: "hello without content", script: #"send({"id": receive()["id"], "result": 7}); wait_forever()"#,
      told: "sent a response to initialize that is a number instead of an object"),
    HostilePlugin(
      name: "hello with an error",
      script:
        #"send({"id": receive()["id"], "error": {"code": 1008, "message": "url is missing"}}); wait_forever()"#,
      told: "reported: url is missing", code: .configuration),
    HostilePlugin(
      name: "hello of another version",
      script:
        #"send({"id": receive()["id"], "error": {"code": 1005, "message": "version 2 only"}}); wait_forever()"#,
      told: "reported: version 2 only"),
  ]

  private static let pages = [
    HostilePlugin(
      name: "silent when asked", script: "hello(); receive(); wait_forever()", told: "did not answer in time",
      code: .timeout, timeout: briefly),
    HostilePlugin(
      name: "silent after some items",
      script: "hello(); items(receive(), [item(0), item(1)]); wait_forever()",
      told: "did not answer in time", code: .timeout, kept: 2, timeout: briefly),
    HostilePlugin(
      name: "too many items",
      script: """
        hello()
        request = receive()
        seq = 0
        while True:
            items(request, [item(seq * 2), item(seq * 2 + 1)])
            seq += 1
        """, told: "sent more than the requested 50 items", kept: 50),
    HostilePlugin(
      name: "wrong count",
      script: "hello(); request = receive(); items(request, [item(0)]); done(request, 2); wait_forever()",
      told: "reported 2 items but sent 1", kept: 1),
    HostilePlugin(
      name: "count without items", script: "hello(); done(receive(), 3); wait_forever()",
      told: "reported 3 items but sent 0"),
    HostilePlugin(
      name: "no count", script: #"hello(); send({"id": receive()["id"], "result": {}}); wait_forever()"#,
      told: "sent a result without a valid count (it is absent)"),
    HostilePlugin(
      name: "a count that is a text",
      script: #"hello(); send({"id": receive()["id"], "result": {"count": "0"}}); wait_forever()"#,
      told: "sent a result without a valid count (it is a text)"),
    HostilePlugin(
      name: "a count that is too large",
      script: """
        hello()
        request = receive()
        items(request, [item(0)])
        raw(b'{"jsonrpc":"2.0","id":%d,"result":{"count":1e400}}\\n' % request["id"])
        wait_forever()
        """, told: "sent a result with a number that is not valid", kept: 1),
    HostilePlugin(
      name: "items that are a text",
      script: #"hello(); done(receive(), 0, items="none"); wait_forever()"#,
      told: "sent a result without a valid items (it is a text)"),
    HostilePlugin(
      name: "an items message without a list",
      script: """
        hello()
        request = receive()
        items(request, [item(0)])
        items(request, {"1": item(1)})
        done(request, 1)
        wait_forever()
        """, told: "sent an items message without a valid items (it is an object)", kept: 1),
    HostilePlugin(
      name: "items of another request",
      script:
        #"hello(); request = receive(); items({"id": "1"}, [item(0)]); done(request, 1); wait_forever()"#,
      told:
        "reported 1 items but sent 0; before that it sent items for a request that is not pending: \"1\""),
    HostilePlugin(
      name: "a result over several lines",
      script: """
        hello()
        answer = {"jsonrpc": "2.0", "id": receive()["id"], "result": {"count": 0}}
        raw(json.dumps(answer, indent=1).encode() + b"\\n")
        wait_forever()
        """, told: "wrote a message over several lines to its standard output", code: .timeout,
      timeout: briefly),
    HostilePlugin(
      name: "a result in Latin-1",
      script: #"hello(); receive(); raw(b'{"jsonrpc":"2.0","id":1,"result":"\xe9"}\n'); wait_forever()"#,
      told: "wrote a line to its standard output that is not valid UTF-8", code: .timeout,
      timeout: briefly),
    HostilePlugin(
      name: "the answer to another request",
      script: #"hello(); receive(); send({"id": "1", "result": {"count": 0}}); wait_forever()"#,
      told:
        "sent a response to the request \"1\", which is not pending (pending: 1), and did not answer in time",
      code: .timeout, timeout: briefly),
    HostilePlugin(
      name: "an error that is a text",
      script: #"hello(); send({"id": receive()["id"], "error": "ü"}); wait_forever()"#,
      told: "sent an invalid response: it has an error that is a text instead of an object"),
    HostilePlugin(
      name: "cancelled after items",
      script: """
        hello()
        request = receive()
        items(request, [item(0)])
        send({"id": request["id"], "error": {"code": 1001, "message": "no more"}})
        wait_forever()
        """, told: "reported: no more", code: .cancelled, kept: 1),
    HostilePlugin(
      name: "too many items in the result",
      script: #"hello(); done(receive(), 51, items=[item(n) for n in range(51)]); wait_forever()"#,
      told: "sent more than the requested 50 items"),
    HostilePlugin(
      name: "error after items",
      script: """
        hello()
        request = receive()
        items(request, [item(0), item(1), item(2)])
        send({"id": request["id"], "error": {"code": 1004, "message": "the server went away"}})
        wait_forever()
        """, told: "reported: the server went away", code: .serverError, kept: 3),
    HostilePlugin(
      name: "rate limited",
      script: """
        hello()
        send({"id": receive()["id"], "error": {"code": 1003, "message": "slow down", "data": {"retryAfterMs": 5000}}})
        wait_forever()
        """, told: "reported: slow down", code: .rateLimited),
    HostilePlugin(
      name: "crashes within a page",
      script: #"hello(); items(receive(), [item(0)]); raw(b'{"jsonrpc":"2.0","meth'); os._exit(3)"#,
      told: "exited unexpectedly with status 3", code: .connectionLost, kept: 1),
    HostilePlugin(
      name: "endless cursor",
      script: #"hello(); done(receive(), 0, next="x" * 100000); wait_forever()"#,
      told: "sent a cursor of more than 64 KiB"),
    HostilePlugin(
      name: "wrong ids",
      script: """
        hello()
        request = receive()
        for number in range(30):
            done({"id": 1000 + number}, 0)
        wait_forever()
        """, told: "wrote more than 20 lines"),
    HostilePlugin(
      name: "invalid response",
      script:
        #"hello(); raw(b'{"jsonrpc":"2.0","id":%d,"result":{},"error":{"code":1}}\n' % receive()["id"]); wait_forever()"#,
      told: "sent an invalid response"),
  ]

  private static let noises = [
    HostilePlugin(
      name: "junk for ever", script: "hello()\nwhile True:\n    raw(b'loading...\\n')",
      told: "wrote more than 20 lines"),
    HostilePlugin(
      name: "junk before hello", script: "while True:\n    raw(b'loading...\\n')",
      told: "wrote more than 20 lines"),
    HostilePlugin(
      name: "endless line", script: "hello()\nwhile True:\n    raw(b'x' * 65536)",
      told: "wrote a line of more than 1024 KiB", code: .responseTooLarge),
    HostilePlugin(
      name: "binary", script: "hello()\nwhile True:\n    raw(bytes(range(256)) * 16)",
      told: "wrote more than 20 lines"),
    HostilePlugin(
      name: "deep JSON",
      script: """
        hello()
        request = receive()
        while True:
            raw(b'{"jsonrpc":"2.0","id":99,"result":' + b'[' * 100000 + b']' * 100000 + b'}\\n')
        """, told: "wrote a message that is nested deeper than 64 levels"),
    HostilePlugin(
      name: "asks the host",
      script: #"hello()"# + "\nwhile True:\n    send({'id': 1, 'method': 'exec', 'params': {}})",
      told: "wrote more than 20 lines"),
  ]

  private static let endings = [
    HostilePlugin(
      name: "closes its output", script: "hello(); receive(); os.close(1); wait_forever()",
      told: "closed its standard output", code: .connectionLost),
    HostilePlugin(
      name: "ignores cancellation and every signal",
      script: """
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)
        hello()
        receive()
        wait_forever()
        """, told: "did not answer in time", code: .timeout, timeout: briefly),
    HostilePlugin(
      name: "forks children",
      script: """
        hello()
        request = receive()
        for number in range(3):
            child = os.fork()
            if child == 0:
                signal.signal(signal.SIGTERM, signal.SIG_IGN)
                wait_forever()
            tell_pid(child)
        os._exit(4)
        """, told: "exited unexpectedly with status 4", code: .connectionLost),
  ]
}
