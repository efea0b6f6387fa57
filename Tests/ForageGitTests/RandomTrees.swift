import TestSupport

/// A random history whose commits change files in folders, as a `fast-import` stream: files become folders
/// and back, links, submodules, permissions, removals, empty commits, merges, several roots, equal dates.
struct RandomTrees {
  let stream: String
  let count: Int

  init(_ random: inout SeededGenerator) {
    count = Int.random(in: 1...70, using: &random)
    let names = [
      "a", "a.b", "a/x", "a/y/z", "b", "b/c", "d e/f", "d e/g\u{FC}", "d-e", "d/e", "z/z/z/z", "z/a",
    ]
    var lines: [String] = []
    var date = 1_600_000_000
    for mark in 1...count {
      date += Int.random(in: -200...600, using: &random) / 100 * 100
      lines += [
        "commit refs/heads/b\(mark)", "mark :\(mark)", "committer C <c@x> \(date) +0000", "data 2\nm\n",
      ]
      var parents: Set<Int> = []
      if mark > 1, !random.chance(0.05) {
        for _ in 0..<(random.chance(0.25) ? 2 : 1) {
          parents.insert(Int.random(in: max(1, mark - 8)..<mark, using: &random))
        }
      }
      for (index, parent) in parents.sorted(by: >).enumerated() {
        lines.append("\(index == 0 ? "from" : "merge") :\(parent)")
      }
      for _ in 0..<(random.chance(0.1) ? 0 : Int.random(in: 1...4, using: &random)) {
        let name = random.pick(names)
        let text = String(repeating: "x", count: Int.random(in: 0...400, using: &random))
        switch Int.random(in: 0..<10, using: &random) {
        case 0: lines.append("D \(name)")
        case 1: lines.append("M 160000 \(String(repeating: "\(mark % 10)", count: 40)) \(name)")
        case 2: lines.append("M 120000 inline \(name)\ndata \(text.utf8.count)\n\(text)")
        case 3: lines.append("M 100755 inline \(name)\ndata \(text.utf8.count)\n\(text)")
        case 4 where !parents.isEmpty: lines.append("D a\nD d e")
        default: lines.append("M 100644 inline \(name)\ndata \(text.utf8.count)\n\(text)")
        }
      }
      lines.append("")
    }
    lines.append("reset refs/heads/main\nfrom :\(count)\n")
    stream = lines.joined(separator: "\n") + "\n"
  }
}
