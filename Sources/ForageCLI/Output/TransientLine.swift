import Synchronization

/// A line at the bottom of the terminal that is drawn again and again, and erased before anything else is written.
///
/// Several threads may draw and write: whatever is written starts on an empty line.
final class TransientLine: Sendable {
  private static let erasure = "\r\u{1B}[2K"

  private let write: @Sendable (String) -> Void
  private let isShown = Mutex(false)

  /// - Parameter write: Writes to the terminal.
  init(write: @escaping @Sendable (String) -> Void) { self.write = write }

  /// Draws a text in place of the last one; it must be safe for the terminal and shorter than its width.
  func draw(_ text: String) {
    isShown.withLock { isShown in
      write(Self.erasure + text)
      isShown = true
    }
  }

  /// Erases the line.
  func erase() { erased {} }

  /// Erases the line and runs a body that writes; nothing is drawn meanwhile.
  func erased(_ body: () throws -> Void) rethrows {
    try isShown.withLock { isShown in
      if isShown { write(Self.erasure) }
      isShown = false
      try body()
    }
  }
}
