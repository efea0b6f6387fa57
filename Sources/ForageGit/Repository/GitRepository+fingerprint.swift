extension GitRepository {
  /// Returns a hash of what the facts about the history depend on besides `HEAD`: the mailmap and
  /// ``historyIdentity``.
  ///
  /// - Returns: 40 hexadecimal digits.
  package func historyFingerprint() -> String {
    var bytes: [UInt8] = []
    for source in mailmapSources() {
      bytes += Array("mailmap \(source.count)\n".utf8)
      bytes += source
    }
    bytes += Array(historyIdentity.utf8)
    return bytes.withUnsafeBytes { ObjectID(hashing: $0) }.hex
  }

  /// The identity of a history besides its last commit: its shallow boundary, replacements of objects, and
  /// which objects this clone has.
  package var historyIdentity: String {
    let replaced = replacements().map { "\($0.key.hex)=\($0.value.hex)" }
    return ((shallow.map(\.hex) + replaced).sorted() + [objectFolders.fingerprint()]).joined(separator: ",")
  }
}
