import Foundation

/// The JSON of `forage inspect --format json`, as far as git can tell the same.
struct Told: Decodable {
  var path: String
  var gitDir: String
  var bare: Bool
  var worktree: Bool
  var shallow: Bool
  var empty: Bool
  var head: Head?
  var upstream: Upstream?
  var branches: Branches?
  var defaultBranch: String?
  var tags: Tags?
  var remotes: [Remote]?
  var status: Status?
  var stashes: Int?
  var commits: Commits?
  var authorCount: Int?
  var busFactor: Int?
  var authors: [Author]?
  var activity: Activity?
  var signedShare: Double?
  var churn: Churn?
  var languages: [Language]?
  var lines: [Lines]?
  var licenses: [License]?
  var size: Size?
  var version: Version?
  var largestFiles: [LargeFile]?
  var largestBlobs: [LargeBlob]?
  var dependencies: [Dependencies]?
  var submodules: [Submodule]?
  var worktrees: [Worktree]?
  var lfs: Bool?
  var hooks: [String]?
  var alternates: [String]?
  var lastFetchAt: Date?
  var commitGraph: Bool?
  var partial: Bool?
  var sparse: Bool?
  var notes: [Note]

  struct Head: Decodable {
    var branch: String?
    var ref: String?
    var detached: Bool
    var unborn: Bool
    var commit: String?
  }
  struct Upstream: Decodable {
    var name: String
    var ahead: Int?
    var behind: Int?
  }
  struct Branches: Decodable {
    var local: Int
    var remote: Int
  }
  struct Tags: Decodable {
    var count: Int
    var nearest: Nearest?
    var highest: String?
    struct Nearest: Decodable {
      var name: String
      var distance: Int
    }
  }
  struct Remote: Decodable {
    var name: String
    var url: String
  }
  struct Status: Decodable {
    var clean: Bool
    var staged: Int
    var unstaged: Int
    var untracked: Int
    var conflicted: Int
  }
  struct Commits: Decodable {
    var count: Int
    var merges: Int
    var first: Commit?
    var last: Commit?
  }
  struct Commit: Decodable {
    var commit: String
    var author: String
    var authoredAt: Date
    var subject: String?
  }
  struct Author: Decodable {
    var name: String
    var email: String
    var commits: Int
    var share: Double
    var firstAt: Date
    var lastAt: Date
    var bot: Bool?
  }
  struct Activity: Decodable {
    var weeks: [Week]
    var weekdays: [Int]
    var hours: [Int]
    struct Week: Decodable {
      var start: String
      var commits: Int
    }
  }
  struct Churn: Decodable {
    var commits: Int
    var files: [File]
    struct File: Decodable {
      var path: String
      var commits: Int
      var author: Author?
    }
    struct Author: Decodable {
      var name: String
      var commits: Int
    }
  }
  struct Language: Decodable {
    var name: String
    var bytes: Int
    var share: Double
  }
  struct Lines: Decodable {
    var language: String
    var files: Int
    var code: Int
    var comment: Int
    var blank: Int
  }
  struct License: Decodable {
    var spdx: String?
    var path: String
  }
  struct Size: Decodable {
    var files: Int?
    var bytes: Int?
    var packs: Int
    var packBytes: Int
    var looseObjects: Int
    var looseBytes: Int?
  }
  struct Version: Decodable {
    var name: String
    var source: String
    var path: String?
  }
  struct LargeFile: Decodable {
    var path: String
    var bytes: Int
  }
  struct LargeBlob: Decodable {
    var path: String
    var bytes: Int
    var commit: String
  }
  struct Dependencies: Decodable {
    var manifest: String
    var count: Int
  }
  struct Submodule: Decodable {
    var path: String
    var url: String?
    var commit: String?
    var state: String
  }
  struct Worktree: Decodable {
    var path: String
    var branch: String?
  }
  struct Note: Decodable {
    var section: String
    var message: String
  }
}
