import ForagePluginProtocol
import Foundation

/// What a plugin answers to `initialize`, as JSON.
func introduction() throws -> String {
  let result = InitializeResult(version: "1.0.0")
  return String(decoding: try JSONEncoder().encode(result), as: UTF8.self)
}

/// The words that a request for a search contains.
func words(ofRequest parameters: Data) throws -> [String] {
  try JSONDecoder().decode(SearchParams.self, from: parameters).text
}
