/// When text is colored.
enum ColorChoice: String, CaseIterable {
  case auto, always, never
}

extension Output {
  /// Applies `--color`, which wins over the environment; `nil` and `auto` leave the choice to the environment and the terminal.
  mutating func setColor(_ choice: ColorChoice?) {
    guard let choice, choice != .auto else { return }
    (hasColor, hasMessageColor) = (choice == .always, choice == .always)
  }

  /// The same output while something else has the terminal: nothing is drawn, and messages go elsewhere.
  ///
  /// - Parameter isTerminal: Whether they are shown as they are, and wrapped to the width of the terminal.
  func diverted(isTerminal: Bool, _ write: @escaping @Sendable (String) -> Void) -> Output {
    var output = self
    output.writeMessage = write
    output.hasMessageColor = false
    output.canMoveCursor = false
    if !isTerminal { output.isMessageTerminal = false }
    return output
  }
}
