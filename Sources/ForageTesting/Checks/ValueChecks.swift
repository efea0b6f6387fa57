import ForageCore
import ForageFoundation

extension ComplianceCheck {
  static let valueChecks = [
    ComplianceCheck("fields-declared", "items have only fields that the abilities name") { trial in
      trial.everyItem { seen in
        let declared = trial.abilities[seen.item.kind]?.fields
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
          wrongType(field, value).map { ($0, ReportText.value(value)) }
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

  private static func fault(
    _ item: SearchResult, _ rule: (ResultField, FieldValue) -> (expected: String, found: String)?
  ) -> (expected: String, found: String)? {
    for field in item.orderedFields {
      guard let value = item[field], let (expected, found) = rule(field, value) else { continue }
      return ("\(field.rawValue) to be \(expected)", found.hasPrefix("it ") ? found : "it is \(found)")
    }
    return nil
  }

  /// Describes the type of a field, if the evaluation of queries and the sorting rely on it and the value has
  /// another; `nil` otherwise.
  private static func wrongType(_ field: ResultField, _ value: FieldValue) -> String? {
    // A manifest or plugin cannot set the paths of clones, so that they are not among the known fields.
    switch (field == .paths ? .list : FieldType.known[field.rawValue], value) {
    case (.number, .number), (.date, .date), (.flag, .flag), (.list, .list): nil
    case (.number, _): "a number"
    case (.date, _): "a date"
    case (.flag, _): "a flag"
    case (.list, _): "a list"
    case (.text, _), (.fraction, _), (nil, _): nil
    }
  }
}
