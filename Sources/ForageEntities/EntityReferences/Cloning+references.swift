package import ForageClones
import ForageCore
import ForageSetup

extension Cloning {
  /// The repositories that a text names; an issue, a commit or a file names the one that it is in.
  ///
  /// - Throws: `ForageError` for a text that names no repository on a forge.
  package func sources(_ text: String, _ reader: ReferenceReader) async throws -> [CloneSource] {
    var sources: [CloneSource] = []
    for reference in try await reader.references([text]) {
      guard let entity = reference.entity?.repository else {
        throw ForageError(
          "\(reference.title) is not a repository on a forge and cannot be cloned", hint: "write owner/name")
      }
      // A number names what the list shows.
      sources.append(
        try await source(reference.result?.url ?? reference.text, naming: entity, reference.result))
    }
    return sources
  }
}
