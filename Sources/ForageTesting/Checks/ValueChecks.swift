import ForageCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension ComplianceCheck {
  /// The checks of the fields of items.
  static let valueChecks = [
    ComplianceCheck("fields-declared", "items carry only fields that the descriptor names") { trial in
      trial.everyItem { seen in
        let declared = trial.descriptor.kinds[seen.item.kind]?.fields
        // An item of another kind is the matter of another check.
        guard let declared else { return nil }
        let other = seen.item.orderedFields.filter { !declared.contains($0) }.map(\.rawValue)
        guard !other.isEmpty else { return nil }
        return ("only declared fields", "it also carries \(other.joined(separator: ", "))")
      }
    },
    ComplianceCheck("field-types", "common fields have the type that qualifiers expect") { trial in
      trial.everyItem { seen in
        fault(seen.item) { field, value in
          guard let type = types[field], !type.fits(value) else { return nil }
          return (type.name, Legible.value(value))
        }
      }
    },
    ComplianceCheck("fields-not-empty", "what is not known is absent, not empty") { trial in
      trial.everyItem { seen in
        fault(seen.item) { _, value in
          switch value {
          case .text(let text) where text.isEmpty: ("a text or no field", "it is empty")
          case .list(let texts) where texts.isEmpty: ("a list or no field", "it is empty")
          case .items(let values) where values.isEmpty: ("a list or no field", "it is empty")
          case .record(let members) where members.isEmpty: ("a record or no field", "it is empty")
          default: nil
          }
        }
      }
    },
    ComplianceCheck("numbers", "numbers are not negative, scores aside") { trial in
      trial.everyItem { seen in
        fault(seen.item) { field, value in
          // People vote questions and answers down.
          guard field != "score" else { return nil }
          return value.number.flatMap { $0 < 0 ? ("0 or more, or no field", String($0)) : nil }
        }
      }
    },
    ComplianceCheck("dates", "dates lie after the beginning of 1970 and not in the future") { trial in
      let latest = Date().addingTimeInterval(clockSkew)
      return trial.everyItem { seen in
        fault(seen.item) { _, value in
          guard let date = value.date, !(date.timeIntervalSince1970 > 0 && date <= latest) else { return nil }
          return ("a date after 1970-01-01 and not in the future, or no field", Legible.value(value))
        }
      }
    },
  ]

  /// How far ahead another machine's clock may be: a day covers local time that was written as UTC.
  private static let clockSkew: TimeInterval = 86_400

  /// The first field of an item with a fault.
  private static func fault(
    _ item: SearchResult, _ rule: (ResultField, FieldValue) -> (expected: String, found: String)?
  ) -> (expected: String, found: String)? {
    for field in item.orderedFields {
      guard let value = item[field], let (expected, found) = rule(field, value) else { continue }
      return ("\(field.rawValue) to be \(expected)", found.hasPrefix("it ") ? found : "it is \(found)")
    }
    return nil
  }

  /// The types that the evaluation of queries and the sorting rely on.
  private enum ValueType {
    case number, date, flag, list

    var name: String {
      switch self {
      case .number: "a number"
      case .date: "a date"
      case .flag: "a flag"
      case .list: "a list"
      }
    }

    func fits(_ value: FieldValue) -> Bool {
      switch (self, value) {
      case (.number, .number), (.date, .date), (.flag, .flag), (.list, .list): true
      default: false
      }
    }
  }

  private static let types: [ResultField: ValueType] = [
    .stars: .number, .forks: .number, .watchers: .number, .subscribers: .number, .network: .number,
    .openIssues: .number, .sizeKB: .number, .fork: .flag, .archived: .flag, .isPrivate: .flag,
    .template: .flag, .mirror: .flag, .createdAt: .date, .updatedAt: .date, .pushedAt: .date,
    .topics: .list, .paths: .list, .labels: .list, .number: .number, .comments: .number,
    .isPullRequest: .flag, .closedAt: .date, .authoredAt: .date, .committedAt: .date, .followers: .number,
    .repositoryCount: .number, .draft: .flag, .locked: .flag, .reactions: .number, .mergedAt: .date,
    .assignees: .list, .parents: .list, .curated: .flag, .featured: .flag,
  ]
}
