import Forage
import ForageCore

/// Opens pages in the user's browser.
struct Browser: Sendable {
  let environment: [String: String]
  let program: TerminalProgram

  /// Opens an address; where there is no way it is written as a result, so that nothing is lost.
  ///
  /// - Throws: `ForageError` for an address that is none of the web; as `Output.writeResult`.
  func open(_ address: String, output: Output) async throws {
    guard WebAddress.isSafe(address) else {
      throw ForageError(
        "\(address) is not the address of a page", hint: "look at the result with --format json",
        code: .nothingFound)
    }
    for words in Self.commands(address, environment: environment) {
      if case .ended(isSuccess: true) = await program.run(words, nil, environment) {
        return output.message("opened \(address)")
      }
    }
    try output.result(SafeText.line(address))
  }

  /// The commands to try, in order: those of `BROWSER`, parted by colons, with `%s` for the address; then what the system has.
  static func commands(_ address: String, environment: [String: String]) -> [[String]] {
    let chosen = (environment["BROWSER"] ?? "").split(separator: ":").map { entry in
      entry.split(separator: " ").map(String.init)
    }
    let own = chosen.filter { !$0.isEmpty }.map { words in
      words.contains { $0.contains("%s") }
        ? words.map { $0.replacing("%s", with: address) } : words + [address]
    }
    #if canImport(Darwin)
      return own + [["open", address]]
    #else
      return own + [["xdg-open", address]]
    #endif
  }
}
