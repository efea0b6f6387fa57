/// The colours that a terminal shows.
enum ColorDepth: Sendable {
  /// None, or only the basic ones, which themes change.
  case plain
  /// The 256 of xterm.
  case palette
  /// Every colour of 24 bits.
  case full

  /// The depth that the variables name; `plain` without colours.
  init(_ environment: [String: String], isColored: Bool) {
    let program = environment["COLORTERM"]?.lowercased() ?? ""
    if !isColored {
      self = .plain
    } else if program.contains("truecolor") || program.contains("24bit") {
      self = .full
    } else {
      self = environment["TERM"]?.contains("256color") == true ? .palette : .plain
    }
  }

  /// The text on, or in, a colour of 24 bits (red in the highest byte); unchanged without colours.
  func paint(_ text: String, _ color: Int, isBackground: Bool = false) -> String {
    let layer = isBackground ? 48 : 38
    switch self {
    case .plain: return text
    case .palette: return "\u{1B}[\(layer);5;\(Self.nearest(color))m\(text)\u{1B}[0m"
    case .full:
      let (red, green, blue) = Self.parts(color)
      return "\u{1B}[\(layer);2;\(red);\(green);\(blue)m\(text)\u{1B}[0m"
    }
  }

  /// The nearest of the 240 fixed colours of xterm: a cube of six levels a channel, from 16, and 24 greys,
  /// from 232.
  static func nearest(_ color: Int) -> Int {
    let (red, green, blue) = parts(color)
    let levels = [0, 95, 135, 175, 215, 255]
    func level(_ value: Int) -> Int {
      levels.indices.min { abs(levels[$0] - value) < abs(levels[$1] - value) } ?? 0
    }
    func distance(_ r: Int, _ g: Int, _ b: Int) -> Int {
      (r - red) * (r - red) + (g - green) * (g - green) + (b - blue) * (b - blue)
    }
    let (r, g, b) = (level(red), level(green), level(blue))
    let grey = max(0, min(23, ((red + green + blue) / 3 - 3) / 10))
    let shade = 8 + 10 * grey
    return distance(shade, shade, shade) < distance(levels[r], levels[g], levels[b])
      ? 232 + grey : 16 + 36 * r + 6 * g + b
  }

  private static func parts(_ color: Int) -> (red: Int, green: Int, blue: Int) {
    (color >> 16 & 255, color >> 8 & 255, color & 255)
  }
}

/// The features of a terminal that a page uses.
struct PageStyle: Sendable {
  /// Its width in columns.
  var columns: Int
  /// Whether styles are used.
  var isColored: Bool
  var depth: ColorDepth
  /// Whether block elements and arrows can be shown.
  var isUnicode: Bool

  /// The terminal of an output.
  init(_ output: Output, _ environment: [String: String]) {
    columns = output.columns
    isColored = output.hasColor
    depth = ColorDepth(environment, isColored: output.hasColor)
    isUnicode = Output.isUnicode(environment)
  }
}
