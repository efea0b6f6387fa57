import ForageCore
import ForageFoundation

extension ComplianceCheck {
  /// The checks of the fields of items.
  static let valueChecks = [
    ComplianceCheck("fields-declared", "items have only fields that the descriptor names") { trial in
      trial.everyItem { seen in
        let declared = trial.descriptor.kinds[seen.item.kind]?.fields
        // Another check finds items of another kind.
        guard let declared else { return nil }
        let other = seen.item.orderedFields.filter { !declared.contains($0) }.map(\.rawValue)
        guard !other.isEmpty else { return nil }
        return ("only declared fields", "it also has \(other.joined(separator: ", "))")
      }
    },
    ComplianceCheck("field-types", "common fields have the type that qualifiers expect") { trial in
      trial.everyItem { seen in
        fault(seen.item) { field, value in
          guard let type = types[field], !type.fits(value) else { return nil }
          return (type.name, ReportText.value(value))
        }
      }
    },
    ComplianceCheck("fields-not-empty", "an unknown value is absent, not empty") { trial in
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
    ComplianceCheck("numbers", "numbers other than scores are not negative") { trial in
      trial.everyItem { seen in
        fault(seen.item) { field, value in
          // Votes can make a score negative.
          guard field != "score" else { return nil }
          return value.number.flatMap { $0 < 0 ? ("0 or more, or no field", String($0)) : nil }
        }
      }
    },
    ComplianceCheck("dates", "dates are after 1970-01-01 and not in the future") { trial in
      let latest = Date().addingTimeInterval(clockSkew)
      return trial.everyItem { seen in
        fault(seen.item) { _, value in
          guard let date = value.date, !(date.timeIntervalSince1970 > 0 && date <= latest) else { return nil }
          return ("a date after 1970-01-01 and not in the future, or no field", ReportText.value(value))
        }
      }
    },
  ]

  /// The tolerated difference between clocks; a day covers local time that is written as UTC.
  private static let clockSkew: TimeInterval = 86_400

  /// Returns the first violation among the fields of an item.
  private static func fault(
    _ item: SearchResult, _ rule: (ResultField, FieldValue) -> (expected: String, found: String)?
  ) -> (expected: String, found: String)? {
    for field in item.orderedFields {
      guard let value = item[field], let (expected, found) = rule(field, value) else { continue }
      return ("\(field.rawValue) to be \(expected)", found.hasPrefix("it ") ? found : "it is \(found)")
    }
    return nil
  }

  /// The types on which the evaluation of queries and the sorting rely.
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
