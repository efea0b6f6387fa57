import ForageGit
import TestSupport
import Testing

@testable import ForageInspector

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

  /// The name of a license is not its text.
  @Test(arguments: [
    "GPL, version 2", "MIT", "# License\n\nMIT\n", "Apache License, Version 2.0", "The Unlicense",
    "Licensed under the GNU General Public License, version 2", "MIT or Apache-2.0", "Public domain",
    "Not licensed under the MIT license.", "MIT License\n\nNo commercial use.",
  ])
  func statements(_ text: String) {
    #expect(LicenseDetector.verdict(on: Array(text.utf8)).identifiers == [])
  }

  /// A tag decides at the beginning of a line only, and not where a sentence goes on.
  @Test(arguments: [
    "NOT SPDX-License-Identifier: MIT", "Files with SPDX-License-Identifier: MIT are free.",
    "SPDX-License-Identifier: Apache-2.0 except for commercial use",
    "SPDX-License-Identifier: Apache-2.0, except for commercial use",
  ])
  func doubtfulTags(_ text: String) {
    #expect(LicenseDetector.verdict(on: Array(text.utf8)).identifiers == [])
  }

  /// Several files are one expression where the manifest or their names say so.
  @Test(
    arguments: [
      (["LICENSE-MIT MIT", "UNLICENSE Unlicense", "COPYING"], "Unlicense OR MIT", "Unlicense OR MIT"),
      (["LICENSE-APACHE Apache-2.0", "LICENSE-MIT MIT"], nil, "Apache-2.0 OR MIT"),
      (["LICENSE-APACHE Apache-2.0", "LICENSE-MIT MIT"], "MIT/Apache-2.0", "MIT OR Apache-2.0"),
      (["LICENSE-APACHE Apache-2.0", "LICENSE-MIT MIT"], "Apache-2.0 AND MIT", "Apache-2.0 AND MIT"),
      (["COPYING GPL-2.0-only", "LICENSE MIT"], "GPL-2.0", nil),
      (["COPYING GPL-2.0-only", "LICENSE MIT"], nil, nil),
      (["LICENSE MIT", "LICENSES/BSD-3-Clause.txt BSD-3-Clause"], nil, "MIT"),
      (["LICENSE-A MIT", "LICENSE-B ?"], "MIT", nil), (["COPYING"], "MIT", nil),
    ] as [([String], String?, String?)])
  func expressions(files: [String], declared: String?, expected: String?) {
    let licenses = files.map { file in
      let parts = file.split(separator: " ").map(String.init)
      let spdx = parts.count > 1 && parts[1] != "?" ? parts[1] : nil
      return InspectionReport.License(
        spdx: spdx, path: parts[0], nearest: parts.last == "?" ? "MIT" : nil)
    }
    #expect(InspectionReport.License.expression(of: licenses, declared: declared) == expected)
  }

  @Test func identifierDeepInAText() {
    let text =
      LicenseTexts.mit + String(repeating: "\nä text", count: 400) + "\nSPDX-License-Identifier: Unicode-3.0"
    let verdict = LicenseDetector.verdict(on: Array(text.utf8))
    #expect(verdict.identifiers == [] && verdict.nearest == "MIT")
  }
}
