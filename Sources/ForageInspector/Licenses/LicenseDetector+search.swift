extension LicenseDetector {
  /// The most licenses that are reported for one text; collections of bundled works have some dozen.
  private static let countLimit = 16
  /// The most occurrences of a phrase that are examined; only crafted texts have more.
  private static let repeatLimit = 64

  private static let anyLater: LicensePhrase = "any later version"
  private static let swiftException: LicensePhrase = "runtime library exception to the apache 2 0 license"
  private static let llvmException: LicensePhrase = "llvm exceptions to the apache 2 0 license"
  private static let classpathException: LicensePhrase =
    "linking this library statically or dynamically with other modules"

  /// Phrases by which a notice, as opposed to the license text, names a GNU license.
  private static let notices: [(phrase: LicensePhrase, family: String)] = [
    ("terms of the gnu general public license", "GPL"),
    ("terms of the gnu lesser general public license", "LGPL"),
    ("terms of the gnu library general public license", "LGPL"),
    ("terms of the gnu affero general public license", "AGPL"),
  ]
  /// The bytes after such a phrase in which the version must follow.
  private static let noticeReach = 200
  private static let versions: [(phrase: LicensePhrase, number: String)] = [
    ("version 2 1", "2.1"), ("version 1", "1.0"), ("version 2", "2.0"), ("version 3", "3.0"),
    ("v2 1", "2.1"), ("v2", "2.0"), ("v3", "3.0"),
  ]

  /// Returns the licenses in a text, in its order and without repetition.
  static func detected(in text: LicenseText) -> [String] {
    var found: [(position: Int, order: Int, end: Int, identifier: String)] = []
    for (order, sign) in signs.enumerated() {
      for position in sign.positions(in: text, limit: repeatLimit) where !text.isDenied(at: position) {
        found.append((position, order, position + sign.extent, sign.identifier))
      }
    }
    found.sort { ($0.position, $0.order) < ($1.position, $1.order) }
    var result: [String] = []
    let firstText = found.first { match in gnu.contains { $0.identifier == match.identifier } }
    let stated = notice(in: text, before: firstText?.position ?? text.count)
    if let stated, firstText == nil || found.isEmpty { result.append(stated) }
    var end = 0
    var last = -1
    for match in found where match.position >= end && match.position != last {
      last = match.position
      end = match.end
      var identifier = match.identifier
      // A notice before the text decides between `-only` and `-or-later`.
      if let stated, stated.hasSuffix("-or-later"), identifier == stated.replacingSuffix("-or-later", "-only")
      {
        identifier = stated
      }
      identifier = withException(identifier, text)
      if !result.contains(identifier) { result.append(identifier) }
      if result.count == countLimit { break }
    }
    return result
  }

  /// Returns the GNU license of a notice before a position; nil if there is none.
  private static func notice(in text: LicenseText, before limit: Int) -> String? {
    for (phrase, family) in notices {
      guard let position = text.position(of: phrase, limit: limit), !text.isDenied(at: position) else {
        continue
      }
      let reach = position + noticeReach
      let named = versions.compactMap { version in
        text.position(of: version.phrase, from: position, limit: min(reach, limit))
          .map { (position: $0, number: version.number) }
      }
      // "version 2 1" begins where "version 2" does and is first in the list, so it wins.
      guard let version = named.min(by: { $0.position < $1.position }) else { continue }
      let isLater =
        text.position(of: anyLater, from: version.position, limit: min(version.position + noticeReach, limit))
        != nil
      return "\(family)-\(version.number)-\(isLater ? "or-later" : "only")"
    }
    return nil
  }

  /// Adds an exception that the text contains to an identifier.
  private static func withException(_ identifier: String, _ text: LicenseText) -> String {
    switch identifier {
    case "Apache-2.0":
      if text.position(of: swiftException) != nil { return "Apache-2.0 WITH Swift-exception" }
      if text.position(of: llvmException) != nil { return "Apache-2.0 WITH LLVM-exception" }
    case "GPL-2.0-only", "GPL-2.0-or-later":
      if text.position(of: classpathException) != nil { return identifier + " WITH Classpath-exception-2.0" }
    default: break
    }
    return identifier
  }
}

extension String {
  fileprivate func replacingSuffix(_ suffix: String, _ other: String) -> String {
    hasSuffix(suffix) ? dropLast(suffix.count) + other : self
  }
}
