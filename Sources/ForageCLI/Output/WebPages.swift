import Forage
import ForageCore

/// Opens the web pages of things that a command line names.
struct WebPages {
  /// The most pages that one command opens.
  static let maximum = 10

  private let context: Context

  init(_ context: Context) { self.context = context }

  /// Opens each page in the browser.
  ///
  /// - Throws: `ForageError`, before anything is opened, for one without a page and for too many.
  func open(_ references: [ResolvedReference]) async throws {
    guard references.count <= Self.maximum else {
      throw ForageError(
        "\(references.count) pages are too many to open at once",
        hint: "open at most \(Self.maximum) with one command")
    }
    let addresses = try references.map { reference in
      guard let address = reference.url else {
        throw ForageError(
          "\(reference.title) has no page",
          hint: reference.path == nil
            ? "see: forage show \(reference.text)" : "it has no remote on a forge; see: forage inspect PATH",
          code: .nothingFound)
      }
      return address
    }
    let browser = Browser(
      environment: context.services.environmentWithoutTokens, program: context.terminalPrograms)
    for address in addresses { try await browser.open(address, output: context.output) }
  }
}
