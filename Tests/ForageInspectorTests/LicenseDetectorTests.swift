import ForageGit
import ForageInspector
import TestSupport
import Testing

@Suite("Licences")
struct LicenseDetectorTests {
  @Test(
    "Names of licence files",
    arguments: [
      ("LICENSE", true), ("licence", true), ("COPYING", true), ("UNLICENSE", true), ("LICENSE.md", true),
      ("License.txt", true), ("LICENSE-MIT", true), ("LICENSE-APACHE.txt", true), ("LICENSE_1_0.txt", true),
      ("MIT-LICENSE.txt", true), ("COPYING.LESSER", true), ("COPYING3", true), ("logo.png.license", true),
      ("LICENSE.Apache-2.0", true), ("Apache-2.0.txt", true), ("GPL-3.0-or-later.txt", true),
      ("OFL.txt", true),
      ("license.go", false), ("LICENSE.png", false), ("licenses.py", false), ("README.md", false),
      ("unlicensed", false), (".license", false), ("", false),
    ])
  func names(_ name: String, _ expected: Bool) {
    #expect(LicenseDetector.isLicenseFile(name) == expected)
  }

  static let grant = """
    Permission is hereby granted, free of charge, to any person obtaining a copy of this software and
    associated documentation files (the "Software"), to deal in the Software without restriction
    """
  static let notice = """
    The above copyright notice and this permission notice shall be included in all copies.
    """
  static let disclaimer = "THE SOFTWARE IS PROVIDED \"AS IS\", WITHOUT WARRANTY OF ANY KIND."
  static let bsd = """
    Redistribution and use in source and binary forms, with or without modification, are permitted
    provided that the following conditions are met:
     * Redistributions of source code must retain the above copyright notice.
     * Redistributions in binary form must reproduce the above copyright notice.
    """
  static let endorse = """
    Neither the name of X nor the names of its contributors may be used to endorse or promote
    products derived from this software.
    """
  static let advertising = """
    All advertising materials mentioning features or use of this software must display this.
    """
  static let isc = """
    Permission to use, copy, modify, and/or distribute this software for any purpose with or without
    fee is hereby granted
    """

  @Test(
    "Texts",
    arguments: [
      ("MIT License\n\nCopyright (c) 2024 A\n\n\(grant)\n\(notice)\n\(disclaimer)", "MIT"),
      ("MIT No Attribution\n\(grant)\n\(disclaimer)", "MIT-0"),
      ("\(grant)\n\(bsd)\n\(disclaimer)", "NCSA"),
      ("Copyright A\n\(bsd)\n\(disclaimer)", "BSD-2-Clause"),
      ("\(bsd)\n\(endorse)\n\(disclaimer)", "BSD-3-Clause"),
      ("\(bsd)\n\(advertising)\n\(endorse)\n\(disclaimer)", "BSD-4-Clause"),
      (
        "The Apache Software License, Version 1.1\n\(bsd)\nThe end-user documentation included with the "
          + "redistribution, if any, must say: by the Apache Software Foundation.\n\(endorse)", "Apache-1.1"
      ),
      ("\(isc), provided that the above copyright notice appear in all copies.\n\(disclaimer)", "ISC"),
      ("\(isc).\n\(disclaimer)", "0BSD"),
      ("  Apache License\n  Version 2.0, January 2004\n  http://www.apache.org/licenses/", "Apache-2.0"),
      ("Mozilla Public License Version 2.0\n====", "MPL-2.0"),
      ("GNU GENERAL PUBLIC LICENSE\n   Version 2, June 1991", "GPL-2.0-only"),
      ("GNU GENERAL PUBLIC LICENSE\n   Version 3, 29 June 2007", "GPL-3.0-only"),
      ("GNU LESSER GENERAL PUBLIC LICENSE\nVersion 2.1, February 1999", "LGPL-2.1-only"),
      ("GNU LESSER GENERAL PUBLIC LICENSE\nVersion 3, 29 June 2007", "LGPL-3.0-only"),
      ("GNU LIBRARY GENERAL PUBLIC LICENSE\nVersion 2, June 1991", "LGPL-2.0-only"),
      ("GNU AFFERO GENERAL PUBLIC LICENSE\nVersion 3, 19 November 2007", "AGPL-3.0-only"),
      ("This is free and unencumbered software released into the public domain.", "Unlicense"),
      ("Creative Commons Legal Code\n\nCC0 1.0 Universal", "CC0-1.0"),
      ("Attribution 4.0 International\n=====", "CC-BY-4.0"),
      ("Attribution-ShareAlike 4.0 International\n====", "CC-BY-SA-4.0"),
      ("Boost Software License - Version 1.0 - August 17th, 2003", "BSL-1.0"),
      ("Eclipse Public License - v 1.0", "EPL-1.0"),
      ("Eclipse Public License - v 2.0", "EPL-2.0"),
      ("EUROPEAN UNION PUBLIC LICENCE v. 1.2\nEUPL", "EUPL-1.2"),
      ("3. This notice may not be removed or altered from any source distribution.", "Zlib"),
      ("DO WHAT THE FUCK YOU WANT TO PUBLIC LICENSE", "WTFPL"),
      ("The Artistic License 2.0", "Artistic-2.0"),
      ("SIL OPEN FONT LICENSE Version 1.1 - 26 February 2007", "OFL-1.1"),
      ("PYTHON SOFTWARE FOUNDATION LICENSE VERSION 2", "Python-2.0"),
      ("Server Side Public License\nVERSION 1, OCTOBER 16, 2018", "SSPL-1.0"),
      ("I)  There are no restrictions on distributing unmodified copies of Vim except", "Vim"),
      ("Ruby is copyrighted free software by Yukihiro Matsumoto", "Ruby"),
      (
        "Permission to use, copy, modify, and distribute this software and its documentation for any "
          + "purpose, without fee, and without a written agreement is hereby granted", "PostgreSQL"
      ),
    ])
  func texts(_ text: String, _ expected: String) {
    #expect(LicenseDetector.spdx(of: text) == expected)
    // Neither the width of the lines, comment signs nor the ends of lines matter.
    let oneWordALine = text.split { $0 == " " || $0 == "\n" }.map { "// \($0)" }.joined(separator: "\r\n")
    #expect(LicenseDetector.spdx(of: oneWordALine) == expected)
  }

  static let notice2 = """
    This program is free software; you can redistribute it and/or modify it under the terms of the GNU General
    Public License as published by the Free Software Foundation; either version 2 of the License, or (at your
    option) any later version.
    """
  static let gpl2 = "GNU GENERAL PUBLIC LICENSE\nVersion 2, June 1991\n"
  static let apache = "Apache License\nVersion 2.0, January 2004\n"

  @Test(
    "Several licences, exceptions, later versions",
    arguments: [
      ("\(apache)\n\(grant)\n\(notice)\n\(disclaimer)", ["Apache-2.0", "MIT"]),
      (
        "\(grant)\n\(notice)\n\(disclaimer)\n\(bsd)\n\(disclaimer)\n\(bsd)\n\(endorse)\n\(disclaimer)",
        ["MIT", "BSD-2-Clause", "BSD-3-Clause"]
      ),
      ("\(grant)\n\(notice)\n\(disclaimer)\n\(grant)\n\(notice)\n\(disclaimer)", ["MIT"]),
      (
        "\(apache)\n## Runtime Library Exception to the Apache 2.0 License: ##\n",
        ["Apache-2.0 WITH Swift-exception"]
      ),
      (
        "\(apache)\n---- LLVM Exceptions to the Apache 2.0 License ----\n", ["Apache-2.0 WITH LLVM-exception"]
      ),
      (notice2, ["GPL-2.0-or-later"]),
      ("\(notice2)\n\n\(gpl2)", ["GPL-2.0-or-later"]),
      // The text itself ends with the notice as a suggestion.
      ("\(gpl2)\nHow to Apply These Terms\n\(notice2)", ["GPL-2.0-only"]),
      ("Under the terms of the GNU Lesser General Public License, version 2.1.", ["LGPL-2.1-only"]),
      (
        "Licensed under either of Apache License, Version 2.0 or MIT license at your option",
        ["MIT OR Apache-2.0"]
      ),
      ("nothing known", []),
    ] as [(String, [String])])
  func several(_ text: String, _ expected: [String]) {
    #expect(LicenseDetector.identifiers(in: Array(text.utf8)) == expected)
  }

  @Test(
    "A license that a text denies",
    arguments: [
      "This program is not licensed under the Apache License, Version 2.0.",
      "It is NOT covered by the terms of the Mozilla Public License, version 2.0",
      "As of 2024 this is no longer licensed under the Apache License, Version 2.0",
      "not distributed under the terms of the GNU General Public License version 2",
    ])
  func denied(text: String) {
    #expect(LicenseDetector.identifiers(in: Array(text.utf8)) == [])
    let both = text + "\n\n\(Self.grant)\n\(Self.notice)\n\(Self.disclaimer)"
    #expect(LicenseDetector.identifiers(in: Array(both.utf8)) == ["MIT"])
  }

  @Test(
    "Texts of long licences",
    arguments: [
      ("GNU Free Documentation License\nVersion 1.3, 3 November 2008", "GFDL-1.3-only"),
      ("Creative Commons Legal Code\nAttribution-ShareAlike 3.0 Unported", "CC-BY-SA-3.0"),
      ("Business Source License 1.1", "BUSL-1.1"), ("Elastic License 2.0", "Elastic-2.0"),
      ("Academic Free License (\"AFL\") v. 3.0", "AFL-3.0"),
      ("COMMON DEVELOPMENT AND DISTRIBUTION LICENSE (CDDL) Version 1.0", "CDDL-1.0"),
      ("Microsoft Public License (MS-PL)", "MS-PL"),
      ("# Blue Oak Model License\n\nVersion 1.0.0", "BlueOak-1.0.0"),
      ("Mulan Permissive Software License，Version 2", "MulanPSL-2.0"),
      ("The Universal Permissive License (UPL), Version 1.0\n\(grant)", "UPL-1.0"),
      ("EUROPEAN UNION PUBLIC LICENCE v. 1.1", "EUPL-1.1"),
      (
        "The intent of this document is to state the conditions under which a Package may be copied",
        "Artistic-1.0"
      ),
      (
        "\(isc), provided that the above copyright notice and this permission notice appear.\n\(disclaimer)\n"
          + "shall not be used in advertising or otherwise to promote the sale", "curl"
      ),
    ])
  func longTexts(_ text: String, _ expected: String) {
    #expect(LicenseDetector.spdx(of: text) == expected)
  }

  @Test("A crafted text does not take long")
  func crafted() {
    let grants = String(repeating: Self.grant + " ", count: 500)
    #expect(LicenseDetector.spdx(of: grants) == "MIT-0")
  }

  @Test("Files of the root and of folders for licences")
  func files() async throws {
    let repository = try await TemporaryRepository.make()
    let mit = "\(Self.grant)\n\(Self.notice)\n\(Self.disclaimer)"
    try repository.directory.write("repo/LICENSE", "\(Self.apache)\n\(mit)")
    try repository.directory.write("repo/Licenses/a.txt", mit)
    try repository.directory.write("repo/LICENSES/LicenseRef-A.txt", "a text")
    try repository.directory.write("repo/license/reader.go", mit)
    try repository.directory.write("repo/README.md", mit)
    try repository.directory.write("repo/sub/LICENSE", mit)
    try await repository.git(["add", "."])
    try await repository.git(["commit", "--quiet", "-m", "a"])
    let report = try Inspector(environment: GitEnvironment()).inspect(path: repository.path)
    #expect(
      report.licenses?.map { "\($0.path) \($0.spdx ?? "-")" } == [
        "LICENSE Apache-2.0", "LICENSE MIT", "LICENSES/LicenseRef-A.txt LicenseRef-A", "Licenses/a.txt MIT",
      ])
  }

  @Test(
    "Declared identifiers",
    arguments: [
      ("SPDX-License-Identifier: MIT", "MIT"),
      (
        "/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */\nint a;",
        "GPL-2.0 WITH Linux-syscall-note"
      ),
      ("<!-- SPDX-License-Identifier: (MIT  OR Apache-2.0) -->", "(MIT OR Apache-2.0)"),
      ("a\n# SPDX-License-Identifier: GPL-3.0+\r\nb", "GPL-3.0+"),
    ])
  func declared(_ text: String, _ expected: String) {
    #expect(LicenseDetector.spdx(of: text) == expected)
  }

  @Test(
    "Unknown texts",
    arguments: ["", " ", "All rights reserved.", "This is my software.", "SPDX-License-Identifier:"])
  func unknown(_ text: String) {
    #expect(LicenseDetector.spdx(of: text) == nil)
  }

  private static let apacheNotice = "Licensed under the Apache License, Version 2.0 (the \"License\")"

  /// A license with restrictions is never the free one that it names.
  @Test(arguments: [
    (
      "# Functional Source License, Version 1.1, ALv2 Future License\n\nFSL-1.1-ALv2\n\nÜber 2 years: \(apacheNotice)",
      ["FSL-1.1-ALv2"]
    ),
    (
      "# Functional Source License, Version 1.1, MIT Future License\n\nFSL-1.1-MIT\n\nPermission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation files. This permission notice shall be included. The Software is provided as is",
      ["FSL-1.1-MIT"]
    ),
    ("Business Source License 1.1\nChange License: Mozilla Public License, Version 2.0", ["BUSL-1.1"]),
    ("\u{201C}Commons Clause\u{201D} License Condition v1.0\n\n\(apacheNotice)", []),
  ])
  func restrictions(text: String, identifiers: [String]) {
    #expect(LicenseDetector.identifiers(in: Array(text.utf8)) == identifiers)
  }

  @Test func nearest() {
    let text = "\"Commons Clause\" License Condition v1.0\n\n" + Self.apacheNotice
    #expect(LicenseDetector.verdict(on: Array(text.utf8)).nearest == "Apache-2.0")
    #expect(LicenseDetector.verdict(on: Array(Self.apacheNotice.utf8)).nearest == nil)
  }

  @Test func identifierDeepInAText() {
    let text =
      Self.apacheNotice + String(repeating: "\nä text", count: 400) + "\nSPDX-License-Identifier: Unicode-3.0"
    #expect(LicenseDetector.identifiers(in: Array(text.utf8)) == ["Apache-2.0"])
  }
}
