import TestSupport

/// A random history as a `fast-import` stream: several roots, merges, skewed dates, tags of both kinds.
struct RandomHistory {
  let stream: String
  let count: Int

  init(_ random: inout SeededGenerator) {
    count = Int.random(in: 1...160, using: &random)
    let authors = ["A <a@x>", "B <b@x>", "C <c@x>", "a <A@x>", "D D <d@x>"]
    var lines: [String] = []
    var date = 1_600_000_000
    for mark in 1...count {
      // Dates repeat, jump and sometimes go back, as clocks do.
      date += Int.random(in: -300...1000, using: &random) / 100 * 100
      lines.append("commit refs/heads/b\(mark)")
      lines.append("mark :\(mark)")
      lines.append("author \(random.pick(authors)) \(date - Int.random(in: 0...5000, using: &random)) +0100")
      lines.append("committer C <c@x> \(date) +0000")
      lines.append("data 2\nm\n")
      var parents: Set<Int> = []
      if mark > 1, !random.chance(0.03) {
        let parentCount = random.chance(0.3) ? Int.random(in: 2...4, using: &random) : 1
        for _ in 0..<parentCount {
          let reach = random.chance(0.8) ? 6 : mark
          parents.insert(Int.random(in: max(1, mark - reach)..<mark, using: &random))
        }
      }
      for (index, parent) in parents.sorted(by: >).enumerated() {
        lines.append("\(index == 0 ? "from" : "merge") :\(parent)")
      }
      lines.append("")
    }
    let density = random.pick([0.0, 0.02, 0.1, 0.4])
    for mark in 1...count where random.chance(density) {
      for kind in 0..<Int.random(in: 1...3, using: &random) {
        if random.chance(0.5) {
          lines.append("reset refs/tags/light-\(mark)-\(kind)\nfrom :\(mark)\n")
        } else {
          let time = date + Int.random(in: 0...3, using: &random)
          lines.append("tag note-\(mark)-\(kind)\nfrom :\(mark)\ntagger T <t@x> \(time) +0000\ndata 2\nt\n")
        }
      }
    }
    lines.append("reset refs/heads/main\nfrom :\(count)\n")
    stream = lines.joined(separator: "\n") + "\n"
  }
}
