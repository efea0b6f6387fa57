extension LicenseDetector {
  private static let mitGrant =
    "permission is hereby granted free of charge to any person obtaining a copy of this software and associated"
  private static let mitNotice = "copyright notice and this permission notice"
  private static let bsdGrant = [
    "redistribution and use in source and binary forms with or without modification are permitted",
    "redistribution and use of this software in source and binary forms with or without modification are permitted",
    "redistribution and use in source and binary forms are permitted provided that the following conditions",
  ]
  private static let bsdSource = "source code must retain the above copyright"
  private static let bsdBinary = "must reproduce the above copyright"
  private static let bsdAdvertising = "all advertising materials mentioning features"
  private static let bsdEndorse = "endorse or promote products derived from"
  private static let iscGrants = [
    "permission to use copy modify and or distribute this software for any purpose with or without fee is "
      + "hereby granted",
    "permission to use copy modify and distribute this software for any purpose with or without fee is "
      + "hereby granted",
  ]

  /// The licences in lowercase whose identifier may be a file's name (`MIT.txt`, as REUSE has it).
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

  /// What each licence is known by; where two begin at the same word, the first in this list is told.
  ///
  /// The phrases are the titles or a few defining words of the licences, reduced as `LicenseText` does.
  static let signs: [LicenseSign] = [
    LicenseSign(
      "Apache-2.0",
      ["apache license version 2 0 january 2004", "licensed under the apache license version 2 0"]),
    LicenseSign("MPL-2.0", ["mozilla public license version 2 0"]),
    LicenseSign("MPL-1.1", ["mozilla public license version 1 1"]),
    LicenseSign("GPL-1.0-only", ["gnu general public license version 1 february 1989"]),
    LicenseSign("GPL-2.0-only", ["gnu general public license version 2 june 1991"]),
    LicenseSign("GPL-3.0-only", ["gnu general public license version 3 29 june 2007"]),
    LicenseSign("LGPL-2.0-only", ["gnu library general public license version 2 june 1991"]),
    LicenseSign("LGPL-2.1-only", ["gnu lesser general public license version 2 1 february 1999"]),
    LicenseSign("LGPL-3.0-only", ["gnu lesser general public license version 3 29 june 2007"]),
    LicenseSign("AGPL-3.0-only", ["gnu affero general public license version 3 19 november 2007"]),
    LicenseSign("SSPL-1.0", ["server side public license version 1 october 16 2018"]),
    LicenseSign("Unlicense", ["this is free and unencumbered software released into the public domain"]),
    LicenseSign(
      "CC0-1.0",
      ["cc0 1 0 universal", "creative commons cc0 1 0", "cc0 1 0 public domain dedication"]),
    LicenseSign("CC-BY-4.0", ["attribution 4 0 international"]),
    LicenseSign("CC-BY-SA-4.0", ["attribution sharealike 4 0 international"]),
    LicenseSign("CC-BY-NC-4.0", ["attribution noncommercial 4 0 international"]),
    LicenseSign("CC-BY-NC-SA-4.0", ["attribution noncommercial sharealike 4 0 international"]),
    LicenseSign("CC-BY-ND-4.0", ["attribution noderivatives 4 0 international"]),
    LicenseSign("CC-BY-NC-ND-4.0", ["attribution noncommercial noderivatives 4 0 international"]),
    LicenseSign(
      "BSL-1.0",
      [
        "boost software license version 1 0",
        "permission is hereby granted free of charge to any person or organization obtaining a copy of the software",
      ]),
    LicenseSign("EPL-1.0", ["eclipse public license v 1 0", "eclipse public license version 1 0"]),
    LicenseSign("EPL-2.0", ["eclipse public license v 2 0", "eclipse public license version 2 0"]),
    LicenseSign(
      "EUPL-1.2", ["european union public license v 1 2", "european union public license version 1 2"]),
    LicenseSign(
      "Zlib", ["this notice may not be removed or altered from any source distribution"]),
    LicenseSign("WTFPL", ["do what the fuck you want to public license"]),
    LicenseSign("Artistic-2.0", ["artistic license 2 0"]),
    LicenseSign("OFL-1.1", ["sil open font license version 1 1"]),
    LicenseSign("Python-2.0", ["python software foundation license version 2"]),
    LicenseSign("Vim", ["there are no restrictions on distributing unmodified copies of vim"]),
    LicenseSign("Ruby", ["ruby is copyrighted free software"]),
    LicenseSign(
      "PostgreSQL",
      [
        "permission to use copy modify and distribute this software and its documentation for any purpose "
          + "without fee and without a written agreement is hereby granted"
      ]),
    LicenseSign("NCSA", [mitGrant], with: [bsdSource], without: [mitNotice]),
    LicenseSign("JSON", [mitGrant], with: [mitNotice, "shall be used for good not evil"]),
    LicenseSign(
      "X11", [mitGrant], with: [mitNotice],
      afterDisclaimer: "shall not be used in advertising or otherwise to promote the sale"),
    LicenseSign("MIT", [mitGrant], with: [mitNotice]),
    LicenseSign("MIT-0", [mitGrant], without: [mitNotice, "copyright notice", "provided that"]),
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
