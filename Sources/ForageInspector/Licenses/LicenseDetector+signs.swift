extension LicenseDetector {
  private static let mitGrant: LicensePhrase =
    "permission is hereby granted free of charge to any person obtaining a copy of this software and associated"
  private static let mitNotice: LicensePhrase = "this permission notice"
  private static let bsdGrant: [LicensePhrase] = [
    "redistribution and use in source and binary forms with or without modification are permitted",
    "redistribution and use of this software in source and binary forms with or without modification are permitted",
    "redistribution and use in source and binary forms are permitted provided that the following conditions",
  ]
  private static let bsdSource: LicensePhrase = "source code must retain the above copyright"
  private static let bsdBinary: LicensePhrase = "must reproduce the above copyright"
  private static let bsdAdvertising: LicensePhrase = "all advertising materials mentioning features"
  private static let bsdEndorse: LicensePhrase = "endorse or promote products derived from"
  private static let iscGrants: [LicensePhrase] = [
    "permission to use copy modify and or distribute this software for any purpose with or without fee is hereby granted",
    "permission to use copy modify and distribute this software for any purpose with or without fee is hereby granted",
  ]

  private static let artisticIntent: [LicensePhrase] = [
    "the intent of this document is to state the conditions under which a package may be copied"
  ]

  /// The identifiers, in lowercase, that may name a license file (`MIT.txt`), as in REUSE.
  static let knownIdentifiers: Set<String> = {
    var known: Set<String> = []
    for sign in signs {
      let identifier = sign.identifier.lowercased()
      known.insert(identifier)
      if identifier.hasSuffix("-only") {
        let base = String(identifier.dropLast("-only".count))
        known.formUnion([base, base + "-or-later"])
      }
    }
    return known
  }()

  /// The phrases that identify each license; of two that match at the same position the first in this list
  /// wins.
  ///
  /// The phrases are titles or a few defining words, normalised as ``LicenseText`` normalises texts.
  static let signs: [LicenseSign] = gnu + creativeCommons + titled + short

  /// The GNU licenses, whose notices say a version and optionally "or later".
  static let gnu: [LicenseSign] = [
    LicenseSign("GPL-1.0-only", ["gnu general public license version 1 february 1989"], extent: 9_000),
    LicenseSign("GPL-2.0-only", ["gnu general public license version 2 june 1991"], extent: 12_000),
    LicenseSign("GPL-3.0-only", ["gnu general public license version 3 29 june 2007"], extent: 25_000),
    LicenseSign("LGPL-2.0-only", ["gnu library general public license version 2 june 1991"], extent: 18_000),
    LicenseSign(
      "LGPL-2.1-only", ["gnu lesser general public license version 2 1 february 1999"], extent: 18_000),
    LicenseSign("LGPL-3.0-only", ["gnu lesser general public license version 3 29 june 2007"], extent: 5_000),
    LicenseSign(
      "AGPL-3.0-only", ["gnu affero general public license version 3 19 november 2007"], extent: 25_000),
    LicenseSign("GFDL-1.1-only", ["gnu free documentation license version 1 1 march 2000"]),
    LicenseSign("GFDL-1.2-only", ["gnu free documentation license version 1 2 november 2002"]),
    LicenseSign("GFDL-1.3-only", ["gnu free documentation license version 1 3 3 november 2008"]),
  ]

  private static let creativeCommons: [LicenseSign] =
    [
      LicenseSign(
        "CC0-1.0", ["cc0 1 0 universal", "creative commons cc0 1 0", "cc0 1 0 public domain dedication"])
    ]
    + [
      ("BY", "attribution"), ("BY-SA", "attribution sharealike"), ("BY-NC", "attribution noncommercial"),
      ("BY-NC-SA", "attribution noncommercial sharealike"), ("BY-ND", "attribution noderivatives"),
      ("BY-NC-ND", "attribution noncommercial noderivatives"),
    ].map { (parts: String, words: String) in
      LicenseSign("CC-\(parts)-4.0", ["\(words) 4 0 international"])
    }
    + [
      ("BY", "attribution"), ("BY-SA", "attribution sharealike"), ("BY-NC", "attribution noncommercial"),
      ("BY-NC-SA", "attribution noncommercial sharealike"), ("BY-ND", "attribution noderivs"),
      ("BY-NC-ND", "attribution noncommercial noderivs"),
    ].map { (parts: String, words: String) in
      LicenseSign("CC-\(parts)-3.0", ["\(words) 3 0 unported"])
    }

  /// Phrases of conditions that are added to a license, and that have no identifier.
  static let conditions: [LicensePhrase] = [
    "commons clause license condition", "subject to the commons clause", "with the commons clause",
    "with commons clause",
  ]

  /// The licenses that name another one, which applies later.
  static let delayedIdentifiers: Set<String> = ["BUSL-1.1", "FSL-1.1-ALv2", "FSL-1.1-MIT"]

  /// Licenses with a unique title or sentence.
  private static let titled: [LicenseSign] = [
    LicenseSign(
      "MIT OR Apache-2.0",
      [
        "licensed under either of apache license version 2 0",
        "licensed under the apache license version 2 0 license apache or",
      ], extent: 400),
    LicenseSign(
      "Apache-2.0",
      ["apache license version 2 0 january 2004", "licensed under the apache license version 2 0"]),
    LicenseSign("MPL-2.0", ["mozilla public license version 2 0"]),
    LicenseSign("MPL-1.1", ["mozilla public license version 1 1"]),
    LicenseSign("SSPL-1.0", ["server side public license version 1 october 16 2018"]),
    LicenseSign(
      "FSL-1.1-ALv2",
      [
        "functional source license version 1 1 alv2 future license",
        "functional source license version 1 1 apache 2 0 future license", "fsl 1 1 alv2",
        "fsl 1 1 apache 2 0",
      ]),
    LicenseSign(
      "FSL-1.1-MIT", ["functional source license version 1 1 mit future license", "fsl 1 1 mit"]),
    LicenseSign("BUSL-1.1", ["business source license 1 1"]),
    LicenseSign("Elastic-2.0", ["elastic license 2 0"]),
    LicenseSign("Unlicense", ["this is free and unencumbered software released into the public domain"]),
    LicenseSign("AFL-3.0", ["academic free license v 3 0", "academic free license afl v 3 0"]),
    LicenseSign("OSL-3.0", ["open software license v 3 0", "open software license osl v 3 0"]),
    LicenseSign("CDDL-1.0", ["common development and distribution license cddl version 1 0"]),
    LicenseSign("CDDL-1.1", ["common development and distribution license cddl version 1 1"]),
    LicenseSign("CPL-1.0", ["common public license version 1 0"]),
    LicenseSign("CECILL-2.1", ["cecill free software license agreement version 2 1"]),
    LicenseSign("BlueOak-1.0.0", ["blue oak model license version 1 0 0"]),
    LicenseSign("MulanPSL-2.0", ["mulan permissive software license version 2"]),
    LicenseSign("MS-PL", ["microsoft public license ms pl"]),
    LicenseSign("MS-RL", ["microsoft reciprocal license ms rl"]),
    LicenseSign("ODbL-1.0", ["open database license odbl v1 0", "open database license odbl version 1 0"]),
    LicenseSign("QPL-1.0", ["the q public license version 1 0"]),
    LicenseSign("LPPL-1.3c", ["lppl version 1 3c"]),
    LicenseSign("UPL-1.0", ["the universal permissive license upl version 1 0"], extent: 1_800),
    LicenseSign("PHP-3.01", ["the php license version 3 01"], extent: 2_000),
    LicenseSign("OpenSSL", ["license issues the openssl toolkit stays under"], extent: 5_000),
    LicenseSign("blessing", ["in place of a legal notice here is a blessing"]),
    LicenseSign("Beerware", ["the beer ware license"]),
    LicenseSign(
      "BSL-1.0",
      [
        "boost software license version 1 0",
        "permission is hereby granted free of charge to any person or organization obtaining a copy of the software",
      ]),
    LicenseSign(
      "EUPL-1.1", ["european union public license v 1 1", "european union public license version 1 1"]),
    LicenseSign("EPL-1.0", ["eclipse public license v 1 0", "eclipse public license version 1 0"]),
    LicenseSign("EPL-2.0", ["eclipse public license v 2 0", "eclipse public license version 2 0"]),
    LicenseSign(
      "EUPL-1.2", ["european union public license v 1 2", "european union public license version 1 2"]),
    LicenseSign(
      "Zlib", ["this notice may not be removed or altered from any source distribution"]),
    LicenseSign("WTFPL", ["do what the fuck you want to public license"]),
    LicenseSign("Artistic-2.0", ["artistic license 2 0"]),
    LicenseSign(
      "Artistic-1.0-Perl", artisticIntent, with: ["embed this package s interpreter within"], extent: 5_000),
    LicenseSign(
      "Artistic-1.0", artisticIntent, without: ["embed this package s interpreter within"], extent: 5_000),
    LicenseSign("OFL-1.1", ["sil open font license version 1 1"]),
    LicenseSign("Python-2.0", ["python software foundation license version 2"]),
    LicenseSign("Vim", ["there are no restrictions on distributing unmodified copies of vim"]),
    LicenseSign("Ruby", ["ruby is copyrighted free software"]),
    LicenseSign(
      "PostgreSQL",
      [
        "permission to use copy modify and distribute this software and its documentation for any purpose without fee and without a written agreement is hereby granted"
      ]),
  ]

  /// Licenses that share their wording and differ in conditions.
  private static let short: [LicenseSign] = [
    LicenseSign("NCSA", [mitGrant], with: [bsdSource], without: [mitNotice]),
    LicenseSign("JSON", [mitGrant], with: [mitNotice, "shall be used for good not evil"]),
    LicenseSign(
      "X11", [mitGrant], with: [mitNotice],
      afterDisclaimer: "shall not be used in advertising or otherwise to promote the sale"),
    LicenseSign("MIT", [mitGrant], with: [mitNotice]),
    LicenseSign("MIT-0", [mitGrant], without: [mitNotice, "copyright notice", "provided that"]),
    LicenseSign(
      "curl", iscGrants, with: [mitNotice],
      afterDisclaimer: "shall not be used in advertising or otherwise to promote the sale"),
    LicenseSign("ISC", iscGrants, with: ["provided that"]),
    LicenseSign("0BSD", iscGrants, without: ["provided that", "copyright notice"]),
    LicenseSign(
      "Apache-1.1", bsdGrant,
      with: [bsdSource, bsdBinary, "the end user documentation included with the redistribution", "apache"]),
    LicenseSign("BSD-4-Clause", bsdGrant, with: [bsdSource, bsdBinary, bsdAdvertising]),
    LicenseSign(
      "BSD-3-Clause-Clear", bsdGrant,
      with: [bsdSource, bsdBinary, bsdEndorse, "no express or implied licenses to any party s patent rights"]),
    LicenseSign("BSD-3-Clause", bsdGrant, with: [bsdSource, bsdBinary, bsdEndorse]),
    LicenseSign("BSD-2-Clause", bsdGrant, with: [bsdSource, bsdBinary], without: [bsdEndorse]),
  ]
}
