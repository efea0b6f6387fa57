import Foundation

/// The files of a TLS server: PEM, absolute paths.
public struct TLSFiles: Sendable, Hashable {
  /// The server's certificate.
  public var certificate: String
  /// The server's private key.
  public var privateKey: String
  /// The certificate of the authority that signed it; what `SSL_CERT_FILE` should name.
  public var authority: String

  /// Makes the record; no file is looked at.
  public init(certificate: String, privateKey: String, authority: String) {
    self.certificate = certificate
    self.privateKey = privateKey
    self.authority = authority
  }
}

/// A throw-away certificate authority and a server certificate for `localhost`, 127.0.0.1 and ::1.
public final class TestCertificates: Sendable {
  /// Where the files are; removed with this value.
  public let directory: TemporaryDirectory
  /// The paths.
  public let files: TLSFiles

  private init(directory: TemporaryDirectory) {
    self.directory = directory
    files = TLSFiles(
      certificate: directory.path("server.pem"), privateKey: directory.path("server.key"),
      authority: directory.path("ca.pem"))
  }

  /// Where the `openssl` program may be, in the order of preference.
  private static let programs = [
    "/usr/bin/openssl", "/usr/local/bin/openssl", "/opt/homebrew/bin/openssl", "/bin/openssl",
  ]

  /// Long enough for any run of the tests, short enough to be worthless afterwards.
  public static let validDays = "2"

  /// Makes authority and certificate with the `openssl` program.
  ///
  /// - Parameters:
  ///   - names: the subject's alternative names in OpenSSL's notation.
  ///   - days: for how many days from now the certificate is valid; fewer than 0: it has expired.
  /// - Returns: nil when no `openssl` program is there.
  /// - Throws: `SupportError` when the program fails.
  public static func make(
    names: String = "DNS:localhost,IP:127.0.0.1,IP:::1", days: String = validDays
  ) async throws -> TestCertificates? {
    guard let program = programs.first(where: { FileManager.default.isExecutableFile(atPath: $0) }) else {
      return nil
    }
    let made = TestCertificates(directory: try TemporaryDirectory(prefix: "forage-tls"))
    try made.directory.write(
      "server.cnf",
      """
      basicConstraints=critical,CA:FALSE
      keyUsage=critical,digitalSignature
      extendedKeyUsage=serverAuth
      subjectAltName=\(names)

      """)
    let environment = ["PATH": "/usr/bin:/bin", "HOME": made.directory.path, "LANG": "C"]
    // From version 3.4 openssl takes two times, and no days before today.
    let help = try await ProcessRunner.run(
      URL(fileURLWithPath: program), ["x509", "-help"], environment: environment)
    let takesTimes = help.err.contains("-not_after") || help.out.contains("-not_after")
    let validity =
      days.hasPrefix("-") && takesTimes
      ? ["-not_before", "20200101000000Z", "-not_after", "20200102000000Z"] : ["-days", days]
    let curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    let steps: [[String]] = [
      ["req", "-x509"] + curve + [
        "-keyout", "ca.key", "-out", "ca.pem", "-days", validDays, "-subj", "/CN=Forage test authority",
        "-addext", "keyUsage=critical,keyCertSign,cRLSign",
      ],
      ["req", "-new"] + curve + ["-keyout", "server.key", "-out", "server.csr", "-subj", "/CN=localhost"],
      [
        "x509", "-req", "-in", "server.csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial",
        "-out", "server.pem", "-sha256", "-extfile", "server.cnf",
      ] + validity,
    ]
    for arguments in steps {
      let result = try await ProcessRunner.run(
        URL(fileURLWithPath: program), arguments,
        environment: environment, workingDirectory: made.directory.url)
      guard result.status == 0 else {
        throw SupportError(
          code: .program, message: "openssl \(arguments[0]) ended with \(result.status): \(result.err)",
          hint: "check the installed openssl")
      }
    }
    return made
  }
}
