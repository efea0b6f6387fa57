import ForageCore

/// The last row: what each provider does, and the keys of the moment.
extension BrowseState {
  func status() -> FrameRow {
    var row = FrameRow(" ")
    let dot = isUnicode ? " · " : " | "
    for (index, part) in statusParts.enumerated() {
      if index > 0 { row.add(dot, .dim) }
      row.add(part)
    }
    var keys = keyHints
    // How to get help and how to leave stay longest.
    while keys.count > 1, width(of: keys) + 2 > columns - row.width {
      keys.remove(at: keys.count > 2 ? keys.count - 2 : 1)
    }
    let text = keys.joined(separator: "  ")
    guard TextWidth.of(text) + row.width + 3 <= columns else { return row.cut(to: columns) }
    row.pad(to: columns - TextWidth.of(text) - 1)
    row.add(text, .dim)
    return row
  }

  private func width(of keys: [String]) -> Int { TextWidth.of(keys.joined(separator: "  ")) + 1 }

  private var statusParts: [Span] {
    // The help leaves the row to its own keys, which then are always shown.
    if case .help? = panel { return [] }
    var parts: [Span] = []
    if isFiltered {
      let shown = HumanFormat.plural(rows.count, "favorite")
      parts.append(Span("\(shown) of \(HumanFormat.grouped(items.count)) loaded rows", .mark))
    }
    if isLoadingAll {
      parts.append(Span("\(HumanFormat.grouped(items.count)) loaded, Esc stops", .mark))
    } else if isLoadingMore {
      parts.append(Span("loading more", .mark))
    }
    if detail?.phase == .loading, focus == .detail || hasPane { parts.append(Span("loading details", .dim)) }
    if detail?.factsRequest != nil { parts.append(Span("inspecting", .dim)) }
    for title in cloning.values.sorted() { parts.append(Span("cloning \(title)", .mark)) }
    parts += statuses.map(span)
    if statuses.isEmpty, phase == .loading { parts.append(Span("searching", .dim)) }
    return parts
  }

  private func span(_ status: ProviderStatus) -> Span {
    switch status.state {
    case .waiting(let since):
      let wait = now - since
      return Span(
        "\(status.id) waiting"
          + (wait >= .milliseconds(300) ? " " + HumanFormat.duration(tenths(wait)) : ""), .dim)
    case .limited(let end) where end > now:
      return Span("\(status.id) limit \(HumanFormat.wait(end - now))", .mark)
    case .limited where status.count == 0: return Span("\(status.id) limit over", .mark)
    case .lacksToken: return Span("\(status.id) needs a token", .mark)
    case .deferred: return Span("\(status.id) at Enter only", .mark)
    case .failed:
      return Span("\(status.id) failed" + (status.count > 0 ? " after \(status.count)" : ""), .error)
    // Also after a wait of something else than the search.
    case .answered, .limited:
      let total = status.total.map { total in
        total.value > status.count
          ? " of \(HumanFormat.grouped(total.value))\(total.relation == .atLeast ? "+" : "")" : ""
      }
      return Span(
        "\(status.id) \(HumanFormat.grouped(status.count))\(total ?? "")"
          + (status.isCached ? " from cache" : ""), .good)
    }
  }

  /// The duration in whole tenths of a second, so that it is written as seconds.
  private func tenths(_ duration: Duration) -> Duration {
    .milliseconds(max(1000, duration.milliseconds / 100 * 100))
  }

  /// The keys that are worth a reminder, the most useful first.
  private var keyHints: [String] {
    let enter = isUnicode ? "↵" : "Enter"
    switch panel {
    case .help(let top)?:
      return (top < lastHelpTop ? [isUnicode ? "↓ PgDn more" : "Down PgDn more"] : []) + ["Esc back"]
    case .providers?: return ["Space toggles", "\(enter) applies"]
    case .clone?: return ["\(enter) clones", "Esc cancels"]
    case nil: break
    }
    switch focus {
    case .field:
      return (field.text.isEmpty ? ["? help"] : [])
        + ["\(enter) search", isUnicode ? "↓ list" : "Down list", "Ctrl-C quit"]
    case .list: return ["? help"] + resultHints("\(enter) open", "f favorite") + ["/ query", "q quit"]
    case .detail:
      var hints = ["? help", "Esc back"] + resultHints()
      if detailItem?.url != nil, detailItem?.fileToOpen == nil { hints.append("o browser") }
      if detailItem?.file != nil { hints.append("e editor") }
      if let count = detail?.places.count, count > 1 { hints.append("n next match") }
      if detailItem.flatMap(clone) != nil { hints.append("i clone facts") }
      return hints + ["q quit"]
    }
  }

  /// The keys that act on the result that is meant; none without one.
  private func resultHints(_ first: String? = nil, _ last: String? = nil) -> [String] {
    guard let item = detailItem else { return [] }
    return [first, item.isRepository ? "s star" : nil, last].compactMap(\.self)
  }
}
