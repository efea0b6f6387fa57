import ForagePlatform
import Foundation

extension Verification {
  /// Where the repository is and of what kind.
  mutating func repository() async throws {
    let top = try await git.text("rev-parse", "--show-toplevel").map(Clone.resolved)
    comparison.value("path", told.path, top ?? clone.gitDir)
    comparison.value("gitDir", told.gitDir, clone.gitDir)
    comparison.value("bare", told.bare, clone.isBare)
    comparison.value("worktree", told.worktree, clone.gitDir != clone.commonDir)
    let isShallow = try await git.text("rev-parse", "--is-shallow-repository")
    comparison.value("shallow", told.shallow, isShallow == "true")
    let refs = try await git.text("for-each-ref", "--count=1")
    comparison.value("empty", told.empty, refs == "" && clone.head == nil)
    comparison.value("partial", told.partial, clone.isPartial)
    let isSparse = try await git.text("config", "--type=bool", "--get", "core.sparseCheckout")
    comparison.value("sparse", told.sparse, isSparse == "true")
    let graphs = ["commit-graph", "commit-graphs/commit-graph-chain"].map {
      clone.commonDir + "/objects/info/" + $0
    }
    comparison.value("commitGraph", told.commitGraph, graphs.contains(where: FileManager.default.fileExists))
    let fetches = Set([clone.gitDir, clone.commonDir]).compactMap { Self.modifiedAt($0 + "/FETCH_HEAD") }
    comparison.value("lastFetchAt", told.lastFetchAt.map { Int($0.timeIntervalSince1970) }, fetches.max())
  }

  /// What is checked out.
  mutating func head() async throws {
    let ref = try await git.text("symbolic-ref", "--quiet", "HEAD")
    comparison.value("head.ref", told.head?.ref, ref)
    let prefix = "refs/heads/"
    let branch = ref.map { $0.hasPrefix(prefix) ? String($0.dropFirst(prefix.count)) : $0 }
    comparison.value("head.branch", told.head?.branch, branch)
    comparison.value("head.detached", told.head?.detached, ref == nil)
    comparison.value("head.unborn", told.head?.unborn, ref != nil && clone.head == nil)
    comparison.value("head.commit", told.head?.commit, clone.head)
  }

  /// Seconds since 1970.
  private static func modifiedAt(_ path: String) -> Int? {
    var entry = stat()
    guard stat(path, &entry) == 0 else { return nil }
    return entry.modified.tv_sec
  }
}
