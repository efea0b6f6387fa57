import Dispatch
import Synchronization

/// A line at the bottom of the terminal that is drawn again and again, and erased before anything else is written.
///
/// Several threads may draw and write: whatever is written starts on an empty line. One queue does all of it, so that nobody holds a lock while the
/// terminal takes what is written, and who draws does not wait for it.
final class TransientLine: Sendable {
  /// What becomes of the line.
  enum Change {
    /// A text takes the place of the last one; it must be safe for the terminal and shorter than its width.
    case draw(String)
    case erase
  }

  private static let erasure = "\r\u{1B}[2K"

  private let write: @Sendable (String) -> Void
  private let queue = DispatchQueue(label: "forage.terminal")
  /// Whether the line is drawn; only the queue uses it.
  private let isShown = Atomic(false)

  /// - Parameter write: Writes to the terminal.
  init(write: @escaping @Sendable (String) -> Void) { self.write = write }

  /// Changes the line soon.
  ///
  /// - Parameter change: Says how, when the terminal can take it; `nil` for not at all.
  func change(_ change: @escaping @Sendable () -> Change?) {
    queue.async { [self] in
      switch change() {
      case .draw(let text):
        write(Self.erasure + text)
        isShown.store(true, ordering: .relaxed)
      case .erase: eraseShown()
      case nil: break
      }
    }
  }

  /// Erases the line.
  func erase() { erased {} }

  /// Erases the line and runs a body that writes; nothing is drawn meanwhile. The body must not use this line.
  func erased(_ body: () throws -> Void) rethrows {
    try queue.sync {
      eraseShown()
      try body()
    }
  }

  /// Waits until everything is drawn.
  func settle() { queue.sync {} }

  private func eraseShown() {
    if isShown.exchange(false, ordering: .relaxed) { write(Self.erasure) }
  }
}
