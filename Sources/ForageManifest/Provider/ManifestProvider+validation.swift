import ForageCore

/// What a validation finds besides the contract for providers.
extension ManifestProvider {
  /// The size of the pages that are compared.
  private static let comparedSize = 5

  /// What a manifest most likely says wrong.
  package struct Fault: Sendable {
    /// The member of the manifest.
    package var subject: String
    /// What is wrong, as a clause.
    package var problem: String
    /// Whether it may be that only no answer needed the member.
    package var isDoubtful = false
  }

  /// The members whose paths no answer has a usable value for; `nil` if nothing was seen of any.
  package var pathFaults: [Fault]? {
    guard let coverage else { return nil }
    let (rows, absences) = (coverage.faults, coverage.absences(manifest.errors))
    guard rows != nil || !absences.isEmpty else { return nil }
    let file = manifest.path.split(separator: "/").last.map(String.init) ?? manifest.id
    return ((rows ?? []) + absences).map { fault in
      let place = fault.line.map { " (\(file):\($0))" } ?? ""
      return Fault(subject: fault.field, problem: fault.fault + place, isDoubtful: fault.isDoubtful)
    }
  }

  /// The kinds whose lists have results before what the manifest says is their first page.
  ///
  /// - Parameters:
  ///   - words: Words with results; a list is compared for the first one that has any.
  ///   - time: The time limit of a request.
  /// - Returns: `nil` where no list begins with 1.
  package func startFaults(words: [String], within time: Duration) async -> [Fault]? {
    let kinds = manifest.kinds.flatMap(\.all).filter { $0.search.paging.startingBefore != nil }
    guard !kinds.isEmpty else { return nil }
    var faults: [Fault] = []
    for kind in kinds {
      guard let paging = kind.search.paging.startingBefore else { continue }
      var earlier = kind.search
      earlier.paging = paging
      for word in words {
        guard let first = await firstIDs(word, kind.search, kind, within: time), !first.isEmpty else {
          continue
        }
        let before = await firstIDs(word, earlier, kind, within: time) ?? []
        // A page before the first one that is refused, empty or the same shows that there is none.
        guard let found = before.first, !first.contains(found) else { break }
        let isPage = if case .page = paging.style { true } else { false }
        guard isPage ? Set(before).isDisjoint(with: first) : before.dropFirst().first == first[0] else {
          break
        }
        let what = isPage ? "page" : "offset"
        faults.append(
          Fault(
            subject: "\(kind.kind.rawValue) \(QueryTerm.quoted(word))",
            problem:
              "\(what) 0 has results that the list from \(what) 1 on never has; add to paging: start: 0"))
        break
      }
    }
    return faults
  }

  /// The ids on the first page of a list; `nil` where it is not answered.
  private func firstIDs(_ word: String, _ list: ManifestList, _ kind: ManifestKind, within time: Duration)
    async
    -> [String]?
  {
    let request = SearchRequest(
      kind: kind.kind, query: .term(QueryTerm(word)), pageSize: min(Self.comparedSize, list.paging.size),
      deadline: .now + time)
    let page = try? await PageReader(request, of: list, kind, client).page(report: { _ in }, coverage: nil)
    return page?.items.map(\.id)
  }
}

extension ManifestPaging {
  /// The same from 0 on; `nil` for a list that does not begin with 1.
  fileprivate var startingBefore: ManifestPaging? {
    var paging = self
    switch style {
    case .page(start: 1): paging.style = .page(start: 0)
    case .offset(start: 1): paging.style = .offset(start: 0)
    case .page, .offset, .single, .cursor, .link: return nil
    }
    return paging
  }
}
