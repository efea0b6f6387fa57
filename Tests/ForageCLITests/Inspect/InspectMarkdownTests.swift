import ForageCore
import ForageInspector
import Testing

@testable import ForageCLI

/// The page of `inspect` as Markdown.
struct InspectMarkdownTests {
  @Test func wholePage() {
    let lines = FactSheet(sampleReport(), dates: .days).markdownLines()
    #expect(
      lines.joined(separator: "\n") + "\n" == """
        ## /home/me/src/tool

        ### Checkout

        - **Kind:** shallow, sparse, LFS
        - **Head:** main at 0123456789
        - **Upstream:** origin/main, 2 ahead, 13 behind
        - **Status:** 2 staged, 1 unstaged, 3 untracked
        - **Stashes:** 1
        - **Work trees:** /home/me/src/tool-fix (fix)
        - **Submodules:** lib/sha1 (current)

        ### History

        - **Commits:** 81,966 (21,000 merges) since 2006-11-02
        - **Last commit:** 2025-12-29 by Bao: Finds things in folders that are nested very deep, and says which it left out
        - **Activity:** 676 commits in 52 weeks since 2024-12-30; busiest of all time: Tuesday, 10–12\u{A0}h
        - **Tags:** 12, nearest v1.2.0 (14 commits since), highest v1.3.0-rc.1
        - **Version:** 1.2.0 (tag)
        - **Signed:** 41.0 % of the last 100 commits
        - **Changed most:** in the last 1,000 commits

        | File | Commits | Main author |
        | --- | --- | --- |
        | Sources/Tool/Finder.swift | 41 | Kana (30) |
        | Documentation/RelNotes/of/a/long/path/2.50.0.txt | 22 | Bao (22) |
        | README.md | 9 | Ünal 山田 (4) |

        ### People

        - **Authors:** 2,477 (bus factor 5); the first 5 of 6

        | Author | Share | Commits |
        | --- | --- | --- |
        | Kana | 30.5 % | 25,000 |
        | Bao | 11.0 % | 9,000 |
        | Ünal 山田 | 8.5 % | 7,000 |
        | d | 1.0 % | 800 |
        | e | 0.1 % | 70 |

        ### Code

        - **Languages:** C 51.3 %, Shell 30.0 %, Perl 10.0 %, Swift 5.0 %, Python 2.0 %, Tcl 1.0 %, 2 more 0.8 %
        - **Lines:**

        | Language | Files | Code | Comment | Blank |
        | --- | --- | --- | --- | --- |
        | C | 500 | 300,123 | 60,024 | 42,874 |
        | Shell | 420 | 99,000 | 19,800 | 14,142 |
        | Perl | 31 | 8,100 | 1,620 | 1,157 |
        | Swift | 20 | 950 | 190 | 135 |
        | Python | 4 | 90 | 18 | 12 |
        | 2 more | 3 | 12 | 2 | 1 |
        | Total | 978 | 408,275 | 81,654 | 58,321 |

        - **License:** GPL-2.0-only (COPYING), unknown (LICENSE.other)
        - **Dependencies:**

        | Manifest | Count |
        | --- | --- |
        | Package.swift | 12 |
        | web/package.json | 140 |

        - **Largest files:**

        | File | Size |
        | --- | --- |
        | po/a-file.po | 900 kB |
        | t/data.bin | 65 kB |

        ### Repository

        - **Branches:** 3 local, 15 remote, default main
        - **Remotes:**
          - origin https://github.com/acme/tool.git
          - fork git@host:me/tool
        - **Last fetch:** 2025-12-31
        - **Hooks:** commit-msg, pre-commit

        ### Storage

        - **Files:** 4,847 files, 48 MB
        - **Objects:** 1 pack (307 MB), 12 loose objects (40 kB)
        - **Commit graph:** yes
        - **Alternates:** /srv/git/shared/objects
        - **Largest blobs:**

        | File | Size |
        | --- | --- |
        | old/movie.mp4 | 61 MB |

        ### Notes

        - **tags:** 2 tags point to objects that are not there

        """)
  }

  @Test func nothingFromOutsideIsMarkup() {
    for line in FactSheet(hostileReport(), dates: .days).markdownLines() {
      let bare = line.replacing("\\\\", with: "").replacing("\\<", with: "").replacing("\\>", with: "")
      #expect(!bare.contains("<") && !bare.contains(">"), "\(line)")
      #expect(!line.unicodeScalars.contains { $0.value < 32 || SafeText.isDangerous($0) }, "\(line)")
      #expect(!line.hasPrefix("# "))
    }
  }
}
