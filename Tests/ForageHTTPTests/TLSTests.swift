import ForageHTTP
import ForageHTTPLive
import Foundation
import TestSupport
import Testing

/// Whether certificates can be made here.
private let hasOpenSSL = [
  "/usr/bin/openssl", "/usr/local/bin/openssl", "/opt/homebrew/bin/openssl", "/bin/openssl",
]
.contains { FileManager.default.isExecutableFile(atPath: $0) }

@Suite(.enabled(if: hasOpenSSL, "no openssl program to make certificates with"))
struct TLSTests {
  @Test func unknownAuthorityIsRefused() async throws {
    let certificates = try #require(try await TestCertificates.make())
    try await withServer(tls: certificates.files, answering: .text("secure")) { server in
      try await withLive { live in
        let sent = try request(server.baseURL, headers: [("Authorization", "Bearer secret")])
        let error = await failure(of: live, sent)
        #expect(error?.code == .tls)
        #expect(error?.message.contains("127.0.0.1:\(server.port)") == true)
      }
      #expect(server.requests.isEmpty)
    }
  }

  @Test func namedAuthorityIsTrusted() async throws {
    let certificates = try #require(try await TestCertificates.make())
    try await withServer(tls: certificates.files, answering: .text("secure")) { server in
      try await withLive(["SSL_CERT_FILE": certificates.files.authority]) { live in
        for _ in 1...3 {
          let response = try await live.send(request(server.baseURL))
          #expect(response.body == Array("secure".utf8))
        }
      }
      #expect(server.connectionCount == 1 && server.requests.allSatisfy(\.isTLS))
    }
  }

  @Test func nameMustFit() async throws {
    let certificates = try #require(try await TestCertificates.make(names: "DNS:other.example"))
    try await withServer(tls: certificates.files, answering: .text("secure")) { server in
      try await withLive(["SSL_CERT_FILE": certificates.files.authority]) { live in
        let error = try await failure(of: live, request(server.baseURL))
        #expect(error?.code == .tls)
      }
      #expect(server.requests.isEmpty)
    }
  }

  @Test func expiredCertificate() async throws {
    let certificates = try #require(try await TestCertificates.make(days: "-1"))
    try await withServer(tls: certificates.files, answering: .text("secure")) { server in
      try await withLive(["SSL_CERT_FILE": certificates.files.authority]) { live in
        let error = try await failure(of: live, request(server.baseURL))
        #expect(error?.code == .tls && error?.message.contains("not trusted") == true)
      }
      #expect(server.requests.isEmpty)
    }
  }

  /// The certificate of the authority itself, which nobody else signed.
  @Test func selfSignedCertificate() async throws {
    let certificates = try #require(try await TestCertificates.make())
    var files = certificates.files
    files.certificate = files.authority
    files.privateKey = certificates.directory.path("ca.key")
    try await withServer(tls: files, answering: .text("secure")) { server in
      try await withLive { live in
        let error = try await failure(of: live, request(server.baseURL))
        #expect(error?.code == .tls && error?.message.contains("not trusted") == true)
      }
      #expect(server.requests.isEmpty)
    }
  }

  /// The connections of HTTP/2 are kept, and take several requests at a time.
  @Test func requestsOfHTTP2() async throws {
    let certificates = try #require(try await TestCertificates.make())
    let handler: LoopbackServer.Handler = { _ in .status(500) }
    try await withServer(tls: certificates.files, http2Body: "second", handler: handler) { server in
      try await withLive(["SSL_CERT_FILE": certificates.files.authority]) { live in
        let sent = try request(server.baseURL)
        _ = try await live.send(sent)
        try await withThrowingTaskGroup(of: HTTPResponse.self) { group in
          for _ in 1...20 { group.addTask { try await live.send(sent) } }
          for try await response in group {
            #expect(response.status == 200 && response.body == Array("second".utf8))
          }
        }
      }
      #expect(server.connectionCount == 1 && server.requests.count == 21)
    }
  }

  @Test func serverWithoutTLS() async throws {
    try await withServer(answering: .text("plain")) { server in
      try await withLive { live in
        let error = try await failure(of: live, request("https://127.0.0.1:\(server.port)/"))
        #expect(
          error?.code == .malformed && error?.message.contains("its address may begin with http:") == true)
      }
      #expect(server.requests.isEmpty)
    }
  }

  @Test(arguments: [nil, "this is no certificate\n"])
  func unusableCertificateFile(contents: String?) async throws {
    try await withTemporaryDirectory { folder in
      if let contents { try folder.write("ca.pem", contents) }
      try await withServer(answering: .text("plain")) { server in
        try await withLive(["SSL_CERT_FILE": folder.path("ca.pem")]) { live in
          let error = await failure(of: live, try request("https://127.0.0.1:\(server.port)/"))
          #expect(error?.code == .tls)
          #expect(error?.message.contains("SSL_CERT_FILE") == true)
          #expect(error?.message.contains(folder.path("ca.pem")) == true)
        }
        #expect(server.connectionCount == 0)
      }
    }
  }
}
