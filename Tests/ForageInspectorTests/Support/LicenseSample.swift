import ForageInspector
import Testing

/// Writes texts of the license list as people have them in their files.
struct LicenseSample {
  static let words = "\(LicenseWords.words)".split(separator: " ").map(String.init)
  static let texts = LicenseList.entries.indices.filter { LicenseList.entries[$0].kind == .text }

  let identifier: String
  private let template: LicenseTemplate

  init(_ entry: Int) {
    identifier = LicenseList.entries[entry].identifier
    template = LicenseTemplate(LicenseList.symbols(of: entry))
  }

  init(_ identifier: String, _ kind: LicenseList.Kind = .text) throws {
    let entry = LicenseList.entries.firstIndex { $0.identifier == identifier && $0.kind == kind }
    self.init(try #require(entry))
  }

  /// The words of the text, without those that may be absent.
  var required: [String] {
    template.words.indices.filter { !template.isOptional[$0] }.map(word)
  }

  /// The words of the text, each run of those that may be absent being there or not.
  func words(using generator: inout some RandomNumberGenerator) -> [String] {
    var result: [String] = []
    var isThere = true
    for position in template.words.indices {
      if position > 0, template.isOptional[position], !template.isOptional[position - 1] {
        isThere = Bool.random(using: &generator)
      }
      if !template.isOptional[position] || isThere { result.append(word(position)) }
    }
    return result
  }

  /// The symbol of the first word; lower ones are marks of a template.
  private static let firstWord = 3

  private func word(_ position: Int) -> String {
    Self.words[Int(template.words[position]) - Self.firstWord]
  }

  /// Writes words in lines of any width, with punctuation, in another case and in comments.
  static func written(_ words: [String], using generator: inout some RandomNumberGenerator) -> [UInt8] {
    let width = Int.random(in: 1...20, using: &generator)
    let comment = ["", "", "// ", " * ", "# ", "\t"].randomElement(using: &generator) ?? ""
    let end = ["\n", "\r\n"].randomElement(using: &generator) ?? "\n"
    var result = comment
    for (number, word) in words.enumerated() {
      if number > 0 { result += number % width == 0 ? end + comment : " " }
      switch Int.random(in: 0..<20, using: &generator) {
      case 0: result += word.uppercased()
      case 1: result += "“\(word)”"
      case 2: result += word + ","
      case 3: result += "*\(word)*;"
      default: result += word
      }
    }
    return Array(result.utf8)
  }
}
