#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension SearchSession {
  /// Encodes the session as JSON for `init(encoded:)`.
  ///
  /// The library's encoder and decoder are not used, because they take several times as long and hundreds of
  /// bytes of memory for a value.
  public func encoded() throws -> [UInt8] { encoded(maximumBytes: .max) ?? [] }

  /// Encodes the session; `nil` if it is larger than a number of bytes.
  package func encoded(maximumBytes: Int) -> [UInt8]? {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("fingerprint") { $0.write(fingerprint) }
      writer.member("base") { $0.write(base) }
      writer.list("emitted", emitted, until: maximumBytes) { $0.write($1) }
      writer.list("ready", ready, until: maximumBytes) { $0.write($1) }
      writer.list("parts", parts, until: maximumBytes) { $0.write($1, until: maximumBytes) }
    }
    return writer.bytes.count <= maximumBytes ? writer.bytes : nil
  }
}

/// The values of a session, in the form of the library's encoder.
extension JSONWriter {
  fileprivate mutating func write(_ part: SearchSession.Part, until limit: Int) {
    object { writer in
      writer.member("provider") { $0.write(part.provider) }
      writer.member("kind") { $0.write(part.kind.rawValue) }
      writer.member("pageSize") { $0.write(part.pageSize) }
      writer.list("pending", part.pending, until: limit) { $0.write($1) }
      writer.list("observed", part.observed) { writer, span in
        writer.object { writer in
          writer.member("count") { $0.write(span.count) }
          writer.member("time") { $0.write(span.time) }
        }
      }
      writer.member("used") { $0.write(part.used) }
      writer.list("seen", part.seen, until: limit) { $0.write($1) }
      writer.member("cursor", part.cursor)
      writer.member("isEnded") { $0.write(.bool(part.isEnded)) }
      if let isTruncated = part.isTruncated { writer.member("isTruncated") { $0.write(.bool(isTruncated)) } }
      writer.member("failures") { $0.write(part.failures) }
      if let total = part.total {
        writer.member("total") {
          $0.object { writer in
            writer.member("value") { $0.write(total.value) }
            writer.member("relation") { $0.write(total.relation.rawValue) }
          }
        }
      }
      if let exclusion = part.exclusion {
        writer.member("exclusion") {
          $0.object { writer in
            writer.member("isSkipped") { $0.write(.bool(exclusion.isSkipped)) }
            writer.member("reason") { $0.write(exclusion.reason) }
            writer.member("hint") { $0.write(exclusion.hint) }
          }
        }
      }
    }
  }

  fileprivate mutating func write(_ name: EntityName) {
    object { writer in
      writer.member("kind") { $0.write(name.kind.rawValue) }
      writer.member("id") { $0.write(name.id) }
      writer.member("forgeID", name.forgeID)
      if let aliases = name.aliases { writer.list("aliases", aliases) { $0.write($1) } }
      if let related = name.related { writer.list("related", related) { $0.write($1) } }
      if let roots = name.roots { writer.list("roots", roots) { $0.write($1) } }
    }
  }

  fileprivate mutating func write(_ item: MergedItem) {
    object { writer in
      writer.member("result") { $0.write(item.result) }
      writer.list("sources", item.sources) { writer, source in
        writer.object { writer in
          writer.member("provider") { $0.write(source.provider) }
          writer.member("rank") { $0.write(source.rank) }
          writer.member("id", source.id)
          writer.member("contribution") { $0.write(Int(Int64(bitPattern: source.contribution))) }
        }
      }
      writer.member("score") { $0.write(Int(Int64(bitPattern: item.score))) }
      if let time = item.observedAt { writer.member("observedAt") { $0.write(time) } }
      if let observations = item.fieldObservations {
        writer.list("fieldObservations", observations) { writer, observation in
          writer.object { writer in
            writer.member("provider") { $0.write(observation.provider) }
            writer.member("alias", observation.alias)
            if let time = observation.observedAt { writer.member("observedAt") { $0.write(time) } }
            writer.member("fields") { $0.write(observation.fields) }
          }
        }
      }
    }
  }

  fileprivate mutating func write(_ result: SearchResult) {
    object { writer in
      writer.member("id") { $0.write(result.id) }
      writer.member("forgeID", result.forgeID)
      writer.member("kind") { $0.write(result.kind.rawValue) }
      writer.member("title") { $0.write(result.title) }
      writer.member("url", result.url)
      writer.member("fields") { $0.write(result.fields) }
      writer.list("related", result.related) { $0.write($1) }
      if let time = result.observedAt { writer.member("observedAt") { $0.write(time) } }
    }
  }

  private mutating func write(_ related: RelatedEntity) {
    object { writer in
      writer.member("id") { $0.write(related.id) }
      writer.member("why") { $0.write(related.why.rawValue) }
    }
  }

  /// Names that are not plain strings make a dictionary a list of names and values in turn.
  private mutating func write(_ fields: [ResultField: FieldValue]) {
    array { writer in
      for (field, value) in fields {
        writer.write(field.rawValue)
        writer.write(value)
      }
    }
  }

  private mutating func write(_ value: FieldValue) {
    switch value {
    case .text(let text): associated("text") { $0.write(text) }
    case .number(let number): associated("number") { $0.write(number) }
    case .fraction(let number): associated("fraction") { $0.write(.double(number)) }
    case .flag(let flag): associated("flag") { $0.write(.bool(flag)) }
    case .date(let date): associated("date") { $0.write(date) }
    case .list(let texts): associated("list") { $0.array { for text in texts { $0.write(text) } } }
    case .items(let values): associated("items") { $0.array { for value in values { $0.write(value) } } }
    case .record(let members):
      associated("record") {
        $0.object { for (name, value) in members { $0.member(name) { $0.write(value) } } }
      }
    }
  }

  /// Writes a case with its only associated value.
  private mutating func associated(_ name: String, _ value: (inout JSONWriter) -> Void) {
    object { $0.member(name) { $0.object { $0.member("_0", value) } } }
  }

  private mutating func write(_ date: Date) { write(.double(date.timeIntervalSinceReferenceDate)) }

  private mutating func member(_ name: String, _ text: String?) {
    if let text { member(name) { $0.write(text) } }
  }

  /// Writes a list; its rest is left out where the output is too large in any case.
  fileprivate mutating func list<Element>(
    _ name: String, _ elements: some Sequence<Element>, until limit: Int = .max,
    _ write: (inout JSONWriter, Element) -> Void
  ) {
    member(name) {
      $0.array { writer in
        for element in elements where writer.bytes.count <= limit { write(&writer, element) }
      }
    }
  }
}
