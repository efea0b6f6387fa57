/// Remarks beside the text of a license: which words change what it permits, and sentences that do not
/// although they have such words.
enum LicenseRemarks {
  /// Words that begin or name terms of their own.
  static let terms = symbols(
    """
    business commercial commercially compete competing competitive confidential evil hosted managed noncommercial
    pay payment personal proprietary purchase resell resellers sell selling subscription evaluation academic educational
    """)

  /// Words that may change what a license permits.
  static let decisive = terms.union(
    symbols(
      """
      additional agree agreement approval cannot clause condition consent except expire expires fee fees forbidden further granted limitation
      limited may must need needs never no nor not only permitted production prohibit prohibited purposes require required requires
      restrict restricted restriction restrictions nicht nur verboten kommerziell kommerzielle non pas seulement shall should terminate terminated terminates unless without
      """))

  /// The words without those of the sentences that change nothing.
  static func withoutKnown(_ words: [Int32]) -> [Int32] {
    var result: [Int32] = []
    var at = 0
    while at < words.count {
      if let sentence = known.first(where: { words[at...].starts(with: $0) }) {
        at += sentence.count
      } else {
        result.append(words[at])
        at += 1
      }
    }
    return result
  }

  /// Sentences of git, of Linux, and of libraries that may be linked. The exceptions of the license list have
  /// others.
  private static let known = [
    """
    note that the only valid version of the gpl as far as this project is concerned is this particular version of the license ie v2 not
    v2 2 or v3 x or whatever unless explicitly otherwise stated
    """,
    """
    note that the only valid version of the gpl as far as the kernel is concerned is this particular version of the license ie v2 not v2 2
    or v3 x or whatever unless explicitly otherwise stated
    """,
    """
    in addition to the permissions in the gnu general public license the authors give you unlimited permission to link the compiled version
    of this library into combinations with other programs and to distribute those combinations without any restriction coming from the use
    of this file the general public license restrictions do apply in other respects for example they cover modification of the file and
    distribution when not linked into a combined executable
    """,
    "unless otherwise stated", "unless otherwise noted",
  ].map { LicenseText(Array($0.replacing("\n", with: " ").utf8)).words }

  /// Licenses that the list lacks, and the words of their titles.
  private static let unlisted = [
    (
      "LicenseRef-RSALv2",
      LicenseText(Array("redis source available license 2 0 rsalv2 agreement".utf8)).words
    )
  ]

  private static let choice = LicenseText.symbol("choice")

  /// The license that the list lacks whose title is among words, with the place of the title, and whether the
  /// words before it let the user choose between licenses.
  static func unlisted(in words: [Int32]) -> (identifier: String, place: Int, isChoice: Bool)? {
    for (identifier, title) in unlisted {
      guard let place = words.indices.first(where: { words[$0...].starts(with: title) }) else { continue }
      return (identifier, place, words[..<place].contains(choice))
    }
    return nil
  }

  private static func symbols(_ words: String) -> Set<Int32> {
    Set(words.split(whereSeparator: \.isWhitespace).map { LicenseText.symbol(String($0)) })
      .subtracting([LicenseText.unknown])
  }
}
