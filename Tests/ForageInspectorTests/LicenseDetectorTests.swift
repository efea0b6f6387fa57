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

  @Test("Files of the root and of folders for licences")
  func files() async throws {
    let repository = try await TemporaryRepository.make()
    let mit = LicenseTexts.mit
    try repository.directory.write("repo/LICENSE", "\(LicenseTexts.apacheNotice)\n\n\(mit)")
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
      ("dnl SPDX-License-Identifier: MIT\n\nSome files are not mine.", "MIT"),
      ("SPDX-License-Identifier: LicenseRef-A\n\nYou may not copy it.", "LicenseRef-A"),
      ("SPDX-License-Identifier: Apache-2.0\n\n" + LicenseTexts.apacheNotice, "Apache-2.0"),
    ])
  func declared(_ text: String, _ expected: String) {
    #expect(LicenseDetector.verdict(on: Array(text.utf8)).identifiers.first == expected)
  }

  @Test(
    "Unknown texts",
    arguments: ["", " ", "All rights reserved.", "This is my software.", "SPDX-License-Identifier:"])
  func unknown(_ text: String) {
    #expect(LicenseDetector.verdict(on: Array(text.utf8)).identifiers.first == nil)
  }

  @Test(arguments: [
    ("GPL, version 2", "GPL-2.0-only"), ("GPLv2\n", "GPL-2.0-only"), ("GPL-3.0", "GPL-3.0-only"),
    ("Licensed under the GNU General Public License, version 2", "GPL-2.0-only"),
    (
      "This program is licensed under the terms of the GNU General Public License (GPL), version 2 or (at\n"
        + "your option) any later version.", "GPL-2.0-or-later"
    ),
    ("GPL v3+", "GPL-3.0-or-later"), ("LGPL 2.1 or later", "LGPL-2.1-or-later"),
    ("GNU Lesser General Public License v3.0", "LGPL-3.0-only"), ("AGPLv3", "AGPL-3.0-only"),
    ("MIT", "MIT"), ("# License\n\nMIT\n", "MIT"), ("The MIT License (MIT)", "MIT"),
    ("Copyright (c) 2020 Ana Müller\n\nThis software is released under the MIT license.", "MIT"),
    ("BSD 3-Clause", "BSD-3-Clause"), ("Three-Clause BSD License", "BSD-3-Clause"),
    ("BSD 3-Clause \"New\" or \"Revised\" License", "BSD-3-Clause"),
    ("Simplified BSD", "BSD-2-Clause"), ("BSD-2-Clause", "BSD-2-Clause"), ("0BSD", "0BSD"),
    ("Apache License, Version 2.0", "Apache-2.0"), ("Apache 2", "Apache-2.0"),
    ("Mozilla Public License 2.0", "MPL-2.0"), ("The Unlicense", "Unlicense"), ("ISC License (ISC)", "ISC"),
    ("Boost Software License 1.0", "BSL-1.0"), ("CC0 1.0 Universal", "CC0-1.0"),
    ("Creative Commons Attribution-ShareAlike 4.0 International (CC BY-SA 4.0)", "CC-BY-SA-4.0"),
  ])
  func shortStatements(_ text: String, _ expected: String) {
    #expect(LicenseDetector.verdict(on: Array(text.utf8)).identifiers == [expected])
  }

  /// Neither a license that is not named exactly, nor one of several, nor one with more conditions.
  @Test(arguments: [
    "Not licensed under the MIT license.", "MIT, but not for military use", "GPL", "BSD", "Apache License",
    "MIT or Apache-2.0", "Dual licensed under MIT and GPLv2", "MIT License\n\nNo commercial use.",
    "Copyright 2020 A. Only for personal use.\nMIT", "Copyright 2020 A, licensed under the GPL\nMIT",
    "MIT License with the Commons Clause", "GPL-2.0 with the following exceptions", "Public domain",
    "This software is no longer licensed under MIT", "MIT, see EXTRA-TERMS.txt", "GPL version 7",
    "License", "Copyright 2020 A. All rights reserved.", "This is not an MIT license",
  ])
  func noStatements(_ text: String) {
    #expect(LicenseDetector.verdict(on: Array(text.utf8)).identifiers.first == nil)
  }

  /// A tag decides at the beginning of a line only, and not where words restrict it.
  @Test(arguments: [
    "NOT SPDX-License-Identifier: MIT", "Files with SPDX-License-Identifier: MIT are free.",
    "SPDX-License-Identifier: Apache-2.0 except for commercial use",
    "SPDX-License-Identifier: Apache-2.0, except for commercial use",
    "SPDX-License-Identifier: Apache-2.0\n\nexcept for commercial use, which requires a license from Acme.",
    "SPDX-License-Identifier: Apache-2.0 WITH Commons-Clause",
    "SPDX-License-Identifier: Apache-2.0\n\n\"Commons Clause\" License Condition v1.0",
    "Proprietary software.\nFiles with the line\n  SPDX-License-Identifier: MIT\nare under that license.",
  ])
  func doubtfulTags(_ text: String) {
    #expect(LicenseDetector.verdict(on: Array(text.utf8)).identifiers == [])
  }

  @Test func identifierDeepInAText() {
    let text =
      LicenseTexts.mit + String(repeating: "\nä text", count: 400) + "\nSPDX-License-Identifier: Unicode-3.0"
    #expect(LicenseDetector.verdict(on: Array(text.utf8)).identifiers == ["MIT"])
  }
}
