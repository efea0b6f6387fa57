import ForageCore

extension ComplianceCheck {
  static let itemChecks = [
    ComplianceCheck("id-present", "every item has an id") { trial in
      trial.everyItem { seen in
        seen.item.id.trimmingWhitespace().isEmpty ? ("an id", "it is empty") : nil
      }
    },
    ComplianceCheck("ids-unique", "no list has an item twice, within a page or across pages") { trial in
      uniqueness(trial)
    },
    ComplianceCheck("kind", "every item is of the requested kind") { trial in
      guard !trial.sightings.isEmpty else { return .notApplicable("no item was found") }
      return .evaluated(
        trial.walks.flatMap { walk in
          walk.sightings.filter { $0.item.kind != walk.request.kind }.map {
            Observation(
              $0.subject, "the kind \(walk.request.kind.rawValue)", "it is \($0.item.kind.rawValue)")
          }
        })
    },
    ComplianceCheck("title", "every item has a title") { trial in
      trial.everyItem { seen in
        seen.item.title.trimmingWhitespace().isEmpty ? ("a title", "it is empty") : nil
      }
    },
    ComplianceCheck("url", "addresses are absolute, http or https, and hold no credentials") { trial in
      trial.everyItem { seen in
        if let url = seen.item.url, let found = ItemAddress(url).fault {
          return ("a web address without credentials", found)
        }
        if let picture = seen.item[.avatarURL]?.text, ItemAddress(picture).hasSecret {
          return ("a picture's address without credentials", "\(ReportText.short(picture)) has some")
        }
        return nil
      }
    },
    ComplianceCheck("control-characters", "ids and addresses hold no control characters") { trial in
      trial.everyItem { seen in
        let texts = [("id", seen.item.id), ("forge id", seen.item.forgeID), ("address", seen.item.url)]
        for case (let name, let text?) in texts where !ReportText.isPlain(text) {
          return ("a plain \(name)", "it is \(ReportText.short(text))")
        }
        return nil
      }
    },
  ]

  private static func uniqueness(_ trial: Trial) -> Verdict {
    guard !trial.sightings.isEmpty else { return .notApplicable("no item was found") }
    var faults: [Observation] = []
    for walk in trial.walks {
      var places: [String: Int] = [:]
      // Another check finds items without an id.
      for seen in walk.sightings where !seen.item.id.isEmpty {
        if let page = places[seen.item.id] {
          faults.append(Observation(seen.subject, "every item once", "it was on page \(page + 1) already"))
        } else {
          places[seen.item.id] = seen.page
        }
      }
    }
    return .evaluated(faults)
  }
}

/// The parts of the address of an item that the checks examine.
private struct ItemAddress {
  /// Query parameters that carry secrets. Source: the documentation of GitHub, GitLab, Gitea and OAuth 2 (RFC
  /// 6749, RFC 6750).
  private static let secretParameters: Set<String> = [
    "access_token", "private_token", "token", "api_key", "apikey", "client_secret", "password",
  ]

  private let text: String
  private let scheme: String?
  private let authority: Substring
  private let query: Substring

  init(_ text: String) {
    self.text = text
    let lower = text.lowercased()
    scheme = ["http://", "https://"].first { lower.hasPrefix($0) }
    let rest = text.dropFirst(scheme?.count ?? 0)
    authority = rest.prefix { !"/?#\\".contains($0) }
    query = rest.prefix { $0 != "#" }.drop { $0 != "?" }.dropFirst()
  }

  var hasSecret: Bool {
    if scheme != nil, authority.contains("@") { return true }
    return query.split(separator: "&").contains { parameter in
      Self.secretParameters.contains(parameter.prefix { $0 != "=" }.lowercased())
    }
  }

  /// Why the text is not valid as the address of an item; `nil` if it is.
  var fault: String? {
    if hasSecret { return "\(ReportText.short(masked)) has some" }
    // Another check finds control characters.
    let isSpaced = text.contains { $0 == " " }
    if scheme == nil || authority.isEmpty || authority.hasPrefix(":") || isSpaced {
      return "it is \(ReportText.short(QueryTerm.quoted(text)))"
    }
    return nil
  }

  /// The address without its secrets, fit for a report.
  private var masked: String {
    let host = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
    return (scheme ?? "") + (authority.contains("@") ? "…@" : "") + host + (query.isEmpty ? "" : "/…?…")
  }
}
