/// A key of the keyboard.
package enum BrowseKey: Hashable, Sendable {
  case character(Character)
  /// A letter together with Ctrl.
  case control(Character)
  case enter, tab, backTab, escape, backspace, delete
  case up, down, left, right, home, end, pageUp, pageDown
}

/// What comes from the terminal.
package enum BrowseInput: Hashable, Sendable {
  case key(BrowseKey)
  /// Text that was pasted, as one piece.
  case paste(String)
  /// The left button was pressed; both count from 0.
  case click(column: Int, row: Int)
  /// The wheel was turned.
  case wheel(isUp: Bool)
}
