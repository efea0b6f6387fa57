import ForageCore

/// A program that starts servers of the Model Context Protocol.
package enum HostProgram: String, CaseIterable, Sendable {
  case claude, codex, vscode, zed, cursor

  /// The file into which the document belongs.
  package var settingsFile: String {
    switch self {
    case .claude: ".mcp.json in the project"
    case .codex: "~/.codex/config.toml"
    case .vscode: ".vscode/mcp.json in the project"
    case .zed: "~/.config/zed/settings.json"
    case .cursor: "~/.cursor/mcp.json"
    }
  }

  /// A complete document of settings that starts Forage, ending with a line feed.
  ///
  /// - Parameters:
  ///   - command: The program as the host starts it.
  ///   - arguments: The arguments behind `mcp`.
  package func configuration(command: String, arguments: [String] = []) -> String {
    let quoted = ResponseLimit.text(.string(command))
    let words = (["mcp"] + arguments).map { ResponseLimit.text(.string($0)) }.joined(separator: ", ")
    let key: String
    switch self {
    case .claude, .cursor: key = "mcpServers"
    case .vscode: key = "servers"
    case .zed: key = "context_servers"
    case .codex:
      return """
        [mcp_servers.forage]
        command = \(quoted)
        args = [\(words)]

        """
    }
    let type = self == .vscode ? "\n      \"type\": \"stdio\"," : ""
    return """
      {
        "\(key)": {
          "forage": {\(type)
            "command": \(quoted),
            "args": [\(words)]
          }
        }
      }

      """
  }
}
