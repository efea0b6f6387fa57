import Synchronization

/// The fingerprint of the token that this run uses for each host, an empty text for none; set when a token is found.
package final class UsedAccounts: Sendable {
  private let fingerprints = Mutex<[String: String]>([:])

  package init() {}

  package subscript(host: String) -> String? {
    get { fingerprints.withLock { $0[host] } }
    set { fingerprints.withLock { $0[host] = newValue } }
  }

  /// All, by host.
  package var all: [String: String] { fingerprints.withLock { $0 } }
}
