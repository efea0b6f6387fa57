import Foundation

extension FakeGitHub {
  /// `/repos/OWNER/NAME` and what little is below it.
  func repository(_ call: Call, _ options: Options) -> FakeAnswer {
    let name = "\(call.parts[1])/\(call.parts[2])".lowercased()
    let found = options.repositories.first { $0.fullName.lowercased() == name && visible($0, call) }
    guard let found else {
      guard let id = options.renames.first(where: { $0.key.lowercased() == name })?.value else {
        return .notFound
      }
      let below = call.parts.dropFirst(3).map { "/" + $0 }.joined()
      return moved(to: "\(call.api)/repositories/\(id)\(below)")
    }
    switch call.parts.dropFirst(3).joined(separator: "/") {
    case "": return full(found, call, options)
    case "topics": return FakeAnswer(status: 200, json: ["names": .array(found.topics.map(FakeJSON.string))])
    default: return below(found, Array(call.parts.dropFirst(3)), call, options) ?? .notFound
    }
  }

  private func moved(to location: String) -> FakeAnswer {
    FakeAnswer(
      status: 301, headers: [("Location", location)],
      json: [
        "message": "Moved Permanently", "url": .string(location),
        "documentation_url": "https://docs.github.com/v3/#http-redirects",
      ])
  }

  /// One repository with its validators, or 304 when the client has it.
  func full(_ repository: FakeRepository, _ call: Call, _ options: Options) -> FakeAnswer {
    var answer = FakeAnswer(status: 200, json: repository.full(links(call, options)))
    let tag = Self.entityTag(answer.body)
    answer.headers = [
      ("Cache-Control", "public, max-age=60, s-maxage=60"), ("ETag", "W/\(tag)"),
      ("Last-Modified", UTCTime.http(repository.updatedAt)),
    ]
    let known = (call.request.headers["if-none-match"] ?? []).flatMap { $0.split(separator: ",") }.map {
      $0.trimmingCharacters(in: .whitespaces)
    }
    let unchanged =
      known.isEmpty
      ? call.request.header("if-modified-since") == UTCTime.http(repository.updatedAt)
      : known.contains { $0 == "*" || $0 == tag || $0 == "W/\(tag)" }
    if unchanged {
      answer.status = 304
      answer.body = []
    }
    return answer
  }

  /// A quoted digest of the bytes: FNV-1a in 64 bits.
  static func entityTag(_ body: [UInt8]) -> String {
    let hash = body.reduce(UInt64(0xCBF2_9CE4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    return "\"\(String(hash, radix: 16))\""
  }
}
