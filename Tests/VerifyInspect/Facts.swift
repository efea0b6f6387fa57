import Foundation
import TestSupport

/// A report as facts by name: each member of the document; those of an object one by one, as in `size.files`.
struct Facts {
  /// The exit status of the program.
  let status: Int
  /// The JSON of each fact, with sorted names.
  let values: [String: String]
  let notes: [Told.Note]

  /// - Throws: an error of the decoder when it is no report.
  init(_ result: ProcessResult) throws {
    struct Document: Decodable { var notes: [Told.Note] }
    status = Int(result.status)
    notes = try JSONDecoder().decode(Document.self, from: result.stdout).notes
    var values: [String: String] = [:]
    let document = try JSONSerialization.jsonObject(with: result.stdout) as? [String: Any] ?? [:]
    for (name, value) in document where name != "notes" {
      if let members = value as? [String: Any] {
        for (member, value) in members { values["\(name).\(member)"] = try Self.text(value) }
      } else {
        values[name] = try Self.text(value)
      }
    }
    self.values = values
  }

  private static func text(_ value: Any) throws -> String {
    let json = try JSONSerialization.data(withJSONObject: value, options: [.sortedKeys, .fragmentsAllowed])
    return String(decoding: json, as: UTF8.self)
  }
}
