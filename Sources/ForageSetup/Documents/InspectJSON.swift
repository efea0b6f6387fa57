package import ForageInspector

/// Reports about clones as JSON: members in a fixed order, unknown ones left out.
///
/// Written by hand: an encoder does not keep the order of the members, and sorting those of thousands of
/// authors takes longer than the inspection.
package enum InspectJSON {
  package static func document(_ report: InspectionReport) -> JSONValue {
    [
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
    ]
  }

  package static func document(_ path: String, _ error: InspectionError) -> JSONValue {
    ["schema": 1, "path": path, "error": self.error(error)]
  }

  package static func error(_ error: InspectionError) -> JSONValue {
    [
      "code": error.code.description, "message": error.message,
      "hint": error.hint.isEmpty ? nil : error.hint,
    ]
  }

  /// A part of a whole; 0 and 1 without decimals.
  fileprivate static func fraction(_ part: Double) -> JSONValue {
    part == 0 ? .int(0) : part == 1 ? .int(1) : .double(part)
  }
}

extension InspectionReport.Head: JSONConvertible {
  package var json: JSONValue {
    ["branch": branch, "ref": ref, "detached": detached, "unborn": unborn, "commit": commit]
  }
}

extension InspectionReport.Upstream: JSONConvertible {
  package var json: JSONValue { ["name": name, "ahead": ahead, "behind": behind] }
}

extension InspectionReport.Branches: JSONConvertible {
  package var json: JSONValue { ["local": local, "remote": remote] }
}

extension InspectionReport.Tags: JSONConvertible {
  package var json: JSONValue { ["count": count, "nearest": nearest, "highest": highest] }
}

extension InspectionReport.Tags.Nearest: JSONConvertible {
  package var json: JSONValue { ["name": name, "distance": distance] }
}

extension InspectionReport.Remote: JSONConvertible {
  package var json: JSONValue { ["name": name, "url": url] }
}

extension InspectionReport.Status: JSONConvertible {
  package var json: JSONValue {
    [
      "clean": clean, "staged": staged, "unstaged": unstaged, "untracked": untracked,
      "conflicted": conflicted,
    ]
  }
}

extension InspectionReport.Commits: JSONConvertible {
  package var json: JSONValue { ["count": count, "merges": merges, "first": first, "last": last] }
}

extension InspectionReport.Commit: JSONConvertible {
  package var json: JSONValue {
    ["commit": commit, "author": author, "authoredAt": authoredAt, "subject": subject]
  }
}

extension InspectionReport.Author: JSONConvertible {
  /// An object of known members: a report has thousands of authors.
  package var json: JSONValue {
    .object(
      [
        ("name", .string(name)), ("email", .string(email)), ("commits", .int(commits)),
        ("share", InspectJSON.fraction(share)), ("firstAt", .date(firstAt)), ("lastAt", .date(lastAt)),
      ] + (bot == true ? [("bot", .bool(true))] : []))
  }
}

extension InspectionReport.Activity: JSONConvertible {
  package var json: JSONValue { ["weeks": weeks, "weekdays": weekdays, "hours": hours] }
}

extension InspectionReport.Activity.Week: JSONConvertible {
  package var json: JSONValue { ["start": start, "commits": commits] }
}

extension InspectionReport.Churn: JSONConvertible {
  package var json: JSONValue { ["commits": commits, "files": files] }
}

extension InspectionReport.Churn.File: JSONConvertible {
  package var json: JSONValue { ["path": path, "commits": commits, "author": author] }
}

extension InspectionReport.Churn.Author: JSONConvertible {
  package var json: JSONValue { ["name": name, "commits": commits] }
}

extension InspectionReport.Language: JSONConvertible {
  package var json: JSONValue { ["name": name, "bytes": bytes, "share": InspectJSON.fraction(share)] }
}

extension InspectionReport.Lines: JSONConvertible {
  package var json: JSONValue {
    ["language": language, "files": files, "code": code, "comment": comment, "blank": blank]
  }
}

extension InspectionReport.Skipped: JSONConvertible {
  package var json: JSONValue { ["vendored": vendored, "generated": generated, "binary": binary] }
}

extension InspectionReport.FileLines: JSONConvertible {
  package var json: JSONValue {
    ["path": path, "language": language, "code": code, "comment": comment, "blank": blank]
  }
}

extension InspectionReport.License: JSONConvertible {
  package var json: JSONValue { ["spdx": spdx, "path": path, "nearest": nearest, "otherText": hasOtherText] }
}

extension InspectionReport.Size: JSONConvertible {
  package var json: JSONValue {
    [
      "files": files, "bytes": bytes, "packs": packs, "packBytes": packBytes, "looseObjects": looseObjects,
      "looseBytes": looseBytes,
    ]
  }
}

extension InspectionReport.Version: JSONConvertible {
  package var json: JSONValue { ["name": name, "source": source, "path": path] }
}

extension InspectionReport.LargeFile: JSONConvertible {
  package var json: JSONValue { ["path": path, "bytes": bytes] }
}

extension InspectionReport.LargeBlob: JSONConvertible {
  package var json: JSONValue { ["path": path, "bytes": bytes, "commit": commit] }
}

extension InspectionReport.Dependencies: JSONConvertible {
  package var json: JSONValue { ["manifest": manifest, "count": count] }
}

extension InspectionReport.Submodule: JSONConvertible {
  package var json: JSONValue { ["path": path, "url": url, "commit": commit, "state": state] }
}

extension InspectionReport.Worktree: JSONConvertible {
  package var json: JSONValue { ["path": path, "branch": branch] }
}

extension InspectionReport.Note: JSONConvertible {
  package var json: JSONValue { ["section": section, "message": message] }
}
