import ForageCore

/// A JSON value with line numbers, for error messages.
struct PlacedJSON {
  typealias Member = (name: String, value: PlacedJSON)

  indirect enum Form {
    case object([Member])
    case array([PlacedJSON])
    case scalar(JSONTree)
  }

  var form: Form
  /// The line in which it begins, from 1.
  var line: Int

  struct Failure: Error {
    /// What is wrong, for use after the file's name.
    var message: String
    /// The line of the last value that began.
    var line: Int
  }

  /// Parses a text.
  ///
  /// - Throws: `Failure`, also if an object has two members with the same name.
  init(parsing bytes: [UInt8]) throws(Failure) {
    var lines = LineNumbers(bytes)
    var repeated: (name: String, line: Int)?
    do throws(JSONTree.Failure) {
      self = try JSONReader.read(bytes) { reader throws(JSONTree.Failure) in
        try Self.read(&reader, &lines, &repeated)
      }
    } catch {
      throw Failure(
        message: error == .tooDeep
          ? "is nested deeper than \(JSONTree.maximumDepth) levels"
          : "is not valid JSON in UTF-8",
        line: lines.line)
    }
    if let repeated { throw Failure(message: "contains \"\(repeated.name)\" twice", line: repeated.line) }
  }

  private init(_ form: Form, line: Int) {
    self.form = form
    self.line = line
  }

  private static func read(
    _ reader: inout JSONReader, _ lines: inout LineNumbers, _ repeated: inout (name: String, line: Int)?
  ) throws(JSONTree.Failure) -> PlacedJSON {
    let first = try reader.peek()
    let line = lines.advance(to: reader.position)
    switch first {
    case UInt8(ascii: "{"):
      var members: [Member] = []
      var names: Set<String> = []
      try reader.object { name, reader throws(JSONTree.Failure) in
        let value = try read(&reader, &lines, &repeated)
        if !names.insert(name).inserted, repeated == nil { repeated = (name, value.line) }
        members.append((name, value))
      }
      return PlacedJSON(.object(members), line: line)
    case UInt8(ascii: "["):
      var values: [PlacedJSON] = []
      try reader.array { reader throws(JSONTree.Failure) in
        values.append(try read(&reader, &lines, &repeated))
      }
      return PlacedJSON(.array(values), line: line)
    default: return PlacedJSON(.scalar(try reader.tree()), line: line)
    }
  }

  var tree: JSONTree {
    switch form {
    case .object(let members):
      .object(Dictionary(members.map { ($0.name, $0.value.tree) }, uniquingKeysWith: { first, _ in first }))
    case .array(let values): .array(values.map(\.tree))
    case .scalar(let value): value
    }
  }
  var members: [Member]? { if case .object(let members) = form { members } else { nil } }
  var elements: [PlacedJSON]? { if case .array(let values) = form { values } else { nil } }
  var string: String? { if case .scalar(.string(let text)) = form { text } else { nil } }
  var bool: Bool? { if case .scalar(.bool(let flag)) = form { flag } else { nil } }
  var integer: Int? { if case .scalar(.integer(let number)) = form { number } else { nil } }
}

private struct LineNumbers {
  let bytes: [UInt8]
  private(set) var line = 1
  private var position = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The line of an offset that is not before the previous one.
  mutating func advance(to place: Int) -> Int {
    while position < place {
      if bytes[position] == UInt8(ascii: "\n") { line += 1 }
      position += 1
    }
    return line
  }
}
