package import ForageCore
package import ForageInspector

/// Reports about clones as JSON: members in a fixed order, unknown ones left out.
///
/// Written by hand: an encoder does not keep the order of the members, and sorting those of thousands of
/// authors takes longer than the inspection.
package enum InspectJSON {
  package static func document(_ report: InspectionReport) -> JSONTree {
    JSONTree([
      "schema": report.schema, "path": report.path, "gitDir": report.gitDir, "bare": report.bare,
      "worktree": report.worktree, "shallow": report.shallow, "empty": report.empty,
      "operation": report.operation, "head": report.head, "upstream": report.upstream,
      "branches": report.branches, "defaultBranch": report.defaultBranch, "tags": report.tags,
      "remotes": report.remotes, "status": report.status, "stashes": report.stashes,
      "commits": report.commits, "authorCount": report.authorCount, "busFactor": report.busFactor,
      "authors": report.authors, "activity": report.activity, "churn": report.churn,
      "languages": report.languages, "lines": report.lines, "skipped": report.skipped, "files": report.files,
      "license": report.license, "licenses": report.licenses, "size": report.size,
      "version": report.version, "largestFiles": report.largestFiles, "largestBlobs": report.largestBlobs,
      "dependencies": report.dependencies, "submodules": report.submodules, "worktrees": report.worktrees,
      "lfs": report.lfs, "hooks": report.hooks, "alternates": report.alternates,
      "signedShare": report.signedShare.map(fraction), "lastFetchAt": report.lastFetchAt,
      "commitGraph": report.commitGraph, "partial": report.partial, "sparse": report.sparse,
      "notes": report.notes,
    ])
  }

  package static func document(_ path: String, _ error: InspectionError) -> JSONTree {
    JSONTree(["schema": 1, "path": path, "error": self.error(error)])
  }

  package static func error(_ error: InspectionError) -> JSONTree {
    JSONTree([
      "code": error.code.description, "message": error.message,
      "hint": error.hint.isEmpty ? nil : error.hint,
    ])
  }

  /// A part of a whole; 0 and 1 without decimals.
  fileprivate static func fraction(_ part: Double) -> JSONTree {
    part == 0 ? .integer(0) : part == 1 ? .integer(1) : .double(part)
  }
}

extension InspectionReport.Head: JSONConvertible {
  package var json: JSONTree {
    JSONTree(["branch": branch, "ref": ref, "detached": detached, "unborn": unborn, "commit": commit])
  }
}

extension InspectionReport.Upstream: JSONConvertible {
  package var json: JSONTree { JSONTree(["name": name, "ahead": ahead, "behind": behind]) }
}

extension InspectionReport.Branches: JSONConvertible {
  package var json: JSONTree { JSONTree(["local": local, "remote": remote]) }
}

extension InspectionReport.Tags: JSONConvertible {
  package var json: JSONTree { JSONTree(["count": count, "nearest": nearest, "highest": highest]) }
}

extension InspectionReport.Tags.Nearest: JSONConvertible {
  package var json: JSONTree { JSONTree(["name": name, "distance": distance]) }
}

extension InspectionReport.Remote: JSONConvertible {
  package var json: JSONTree { JSONTree(["name": name, "url": url]) }
}

extension InspectionReport.Status: JSONConvertible {
  package var json: JSONTree {
    JSONTree([
      "clean": clean, "staged": staged, "unstaged": unstaged, "untracked": untracked,
      "conflicted": conflicted,
    ])
  }
}

extension InspectionReport.Commits: JSONConvertible {
  package var json: JSONTree { JSONTree(["count": count, "merges": merges, "first": first, "last": last]) }
}

extension InspectionReport.Commit: JSONConvertible {
  package var json: JSONTree {
    JSONTree(["commit": commit, "author": author, "authoredAt": authoredAt, "subject": subject])
  }
}

extension InspectionReport.Author: JSONConvertible {
  /// An object of known members: a report has thousands of authors.
  package var json: JSONTree {
    JSONTree([
      "name": name, "email": email, "commits": commits, "share": InspectJSON.fraction(share),
      "firstAt": firstAt, "lastAt": lastAt, "bot": bot == true ? bot : nil,
    ])
  }
}

extension InspectionReport.Activity: JSONConvertible {
  package var json: JSONTree { JSONTree(["weeks": weeks, "weekdays": weekdays, "hours": hours]) }
}

extension InspectionReport.Activity.Week: JSONConvertible {
  package var json: JSONTree { JSONTree(["start": start, "commits": commits]) }
}

extension InspectionReport.Churn: JSONConvertible {
  package var json: JSONTree { JSONTree(["commits": commits, "files": files]) }
}

extension InspectionReport.Churn.File: JSONConvertible {
  package var json: JSONTree { JSONTree(["path": path, "commits": commits, "author": author]) }
}

extension InspectionReport.Churn.Author: JSONConvertible {
  package var json: JSONTree { JSONTree(["name": name, "commits": commits]) }
}

extension InspectionReport.Language: JSONConvertible {
  package var json: JSONTree {
    JSONTree(["name": name, "bytes": bytes, "share": InspectJSON.fraction(share)])
  }
}

extension InspectionReport.Lines: JSONConvertible {
  package var json: JSONTree {
    JSONTree(["language": language, "files": files, "code": code, "comment": comment, "blank": blank])
  }
}

extension InspectionReport.Skipped: JSONConvertible {
  package var json: JSONTree { JSONTree(["vendored": vendored, "generated": generated, "binary": binary]) }
}

extension InspectionReport.FileLines: JSONConvertible {
  package var json: JSONTree {
    JSONTree(["path": path, "language": language, "code": code, "comment": comment, "blank": blank])
  }
}

extension InspectionReport.License: JSONConvertible {
  package var json: JSONTree {
    JSONTree(["spdx": spdx, "path": path, "nearest": nearest, "otherText": hasOtherText])
  }
}

extension InspectionReport.Size: JSONConvertible {
  package var json: JSONTree {
    JSONTree([
      "files": files, "bytes": bytes, "packs": packs, "packBytes": packBytes, "looseObjects": looseObjects,
      "looseBytes": looseBytes,
    ])
  }
}

extension InspectionReport.Version: JSONConvertible {
  package var json: JSONTree { JSONTree(["name": name, "source": source, "path": path]) }
}

extension InspectionReport.LargeFile: JSONConvertible {
  package var json: JSONTree { JSONTree(["path": path, "bytes": bytes]) }
}

extension InspectionReport.LargeBlob: JSONConvertible {
  package var json: JSONTree { JSONTree(["path": path, "bytes": bytes, "commit": commit]) }
}

extension InspectionReport.Dependencies: JSONConvertible {
  package var json: JSONTree { JSONTree(["manifest": manifest, "count": count]) }
}

extension InspectionReport.Submodule: JSONConvertible {
  package var json: JSONTree { JSONTree(["path": path, "url": url, "commit": commit, "state": state]) }
}

extension InspectionReport.Worktree: JSONConvertible {
  package var json: JSONTree { JSONTree(["path": path, "branch": branch]) }
}

extension InspectionReport.Note: JSONConvertible {
  package var json: JSONTree { JSONTree(["section": section, "message": message]) }
}
