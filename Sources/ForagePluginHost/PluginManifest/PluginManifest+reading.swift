package import ForageCore
package import ForageYAML

extension PluginManifest {
  /// Parses a `plugin.json`.
  ///
  /// - Parameters:
  ///   - bytes: The complete file: JSON, or any other YAML.
  ///   - path: The file's path, for messages.
  /// - Throws: `SearchError` with code `configuration` that names the file, the line of the first problem,
  ///   and how many there are.
  package init(parsing bytes: some Collection<UInt8>, path: String) throws(SearchError) {
    let (manifest, problems) = PluginManifestReader.read(bytes)
    guard let manifest, problems.isEmpty else { throw SearchError(problems, in: path) }
    self = manifest
  }

  /// Every problem of the `plugin.json` at a path; empty if it is valid or cannot be opened.
  package static func problems(at path: String) -> [YAMLProblem] {
    guard let bytes = try? FileContents.read(path, limit: byteLimit + 1) else { return [] }
    return PluginManifestReader.read(bytes).problems
  }

  /// Reads the `plugin.json` at a path.
  ///
  /// - Throws: `SearchError` with code `configuration` as above, `not_found` if the file does not exist, or
  ///   `local_failure` if it cannot be read.
  static func read(_ path: String) throws(SearchError) -> (manifest: PluginManifest, bytes: [UInt8]) {
    let bytes: [UInt8]
    do throws(FileFailure) { bytes = try FileContents.read(path, limit: byteLimit + 1) } catch {
      throw SearchError(
        error.isMissing ? .notFound : .local, "\(path) cannot be read: \(error.reason)",
        hint: "check the path and its permissions")
    }
    return (try PluginManifest(parsing: bytes, path: path), bytes)
  }
}
