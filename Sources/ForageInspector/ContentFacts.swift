import ForageGit

/// What is told from `HEAD`'s tree, the index, the work tree and the object database.
struct ContentFacts: Sendable {
  var languages: [InspectionReport.Language]?
  var licenses: [InspectionReport.License]?
  var size: InspectionReport.Size?
  var submodules: [InspectionReport.Submodule]?
  var status: InspectionReport.Status?
  var stashes: Int?
  var lfs: Bool?
  var notes: [InspectionReport.Note] = []

  private init() {}

  /// Opens its own handle and reads; failures become notes.
  static func reopening(
    _ reopen: () throws(GitError) -> GitRepository, isCancelled: () -> Bool
  ) -> ContentFacts {
    var facts = ContentFacts()
    do throws(GitError) {
      facts.read(try reopen(), isCancelled)
    } catch {
      facts.note("size", error)
    }
    return facts
  }

  private mutating func read(_ repository: GitRepository, _ isCancelled: () -> Bool) {
    do throws(GitError) {
      let storage = try repository.storage()
      size = .init(
        files: nil, bytes: nil, packs: storage.packs, packBytes: storage.packBytes,
        looseObjects: storage.looseObjects)
    } catch {
      note("size", error)
    }
    readTree(repository, isCancelled)
    do throws(GitError) {
      status = try repository.status().map {
        .init(
          clean: $0.isClean, staged: $0.staged, unstaged: $0.unstaged, untracked: $0.untracked,
          conflicted: $0.conflicted)
      }
    } catch {
      note("status", error)
    }
    do throws(GitError) {
      stashes = try repository.stashCount()
    } catch {
      note("stashes", error)
    }
  }

  private mutating func readTree(_ repository: GitRepository, _ isCancelled: () -> Bool) {
    var listing = TreeListing()
    var tree: ObjectID?
    do throws(GitError) {
      if case .invalid = repository.refs.head {
        throw GitError(.invalidHead, "without a valid HEAD there are no files to tell")
      }
      if let commit = repository.refs.head.commit {
        let root = try repository.commit(commit).tree
        listing = try repository.listing(of: root, isCancelled: isCancelled)
        tree = root
      }
    } catch {
      note("size", error)
      return
    }
    size?.files = listing.files.count
    let attributes = AttributeFiles(listing, repository)
    if listing.missing == 0 {
      size?.bytes = listing.bytes
      let shares = LanguageShares(listing, attributes, repository, isCancelled: isCancelled)
      languages = shares.languages
      if shares.isCut {
        notes.append(.init(section: "languages", message: AttributeFiles.cutMessage))
      }
    } else {
      let message = "\(listing.missing) files of a partial clone are not there"
      notes.append(.init(section: "size", message: message))
      notes.append(.init(section: "languages", message: message))
    }
    licenses = LicenseFiles.find(listing, repository)
    if attributes.files.contains(where: { $0.text.contains("filter=lfs") }) {
      lfs = true
    } else if attributes.isCut {
      notes.append(.init(section: "lfs", message: AttributeFiles.cutMessage))
    } else {
      lfs = false
    }
    do throws(GitError) {
      let (list, isCut) = try repository.submodules(recorded: listing.submodules, tree: tree)
      submodules = list.map {
        .init(path: $0.path, url: $0.url, commit: $0.commit?.hex, state: $0.state.rawValue)
      }
      if isCut {
        let message = "only the first \(GitRepository.submoduleLimit) submodules are listed"
        notes.append(.init(section: "submodules", message: message))
      }
    } catch {
      note("submodules", error)
    }
  }

  private mutating func note(_ section: String, _ error: GitError) {
    let message = error.code == .unsupportedIndex && !error.hint.isEmpty ? error.description : error.message
    notes.append(.init(section: section, message: message))
  }
}
