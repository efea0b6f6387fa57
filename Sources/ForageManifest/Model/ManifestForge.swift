package import ForageCore

/// The abilities of a forge besides searches: the account of the secret, stars, and the repositories of an
/// account.
package struct ManifestForge: Sendable {
  /// The placeholder of addresses that concern an account.
  static let names = ["owner"]

  package var account: Account?
  /// The requests that add and remove a star.
  package var star: Change?
  package var unstar: Change?
  /// The list of the repositories that the account of the secret has starred.
  package var stars: ManifestList?
  /// The list of the repositories that a named account has starred.
  package var starsOf: ManifestList?
  /// The repositories of an account, where it has them: those of a person may be at another address than
  /// those of a group.
  package var owner: [ManifestList] = []
  /// The requests that mark a notification as read, with `{thread}`, and all until a time, with `{until}`.
  package var readThread: Change?
  package var readAll: Change?
  /// The addresses of the files of a repository.
  package var files: Files?
  /// The addresses of pages that are not where GitHub has them.
  package var pages: [Page: Template] = [:]

  /// A kind of page on the website of a forge.
  package enum Page: String, CaseIterable, Sendable {
    case issue, pr, commit, file, repo
    /// The address for git over HTTPS.
    case clone

    init?(_ subject: EntityReference.Subject) {
      switch subject {
      case .issue: self = .issue
      case .mergeRequest: self = .pr
      case .commit: self = .commit
      case .file: self = .file
      case .repository: self = .repo
      case .account, .topic: return nil
      }
    }

    /// Further placeholders: `commit` for a commit and `HEAD`, `branch` for another ref.
    var optionalNames: [String] { self == .file ? ["kind"] : [] }

    /// The placeholders of its address: each must be there.
    var names: [String] {
      switch self {
      case .issue, .pr: ["id", "number"]
      case .commit: ["id", "sha"]
      case .file: ["id", "ref", "file"]
      case .repo, .clone: ["id"]
      }
    }
  }

  /// The request for the account of the secret.
  package struct Account: Sendable {
    package var request: ManifestRequest
    /// The name in the response.
    package var login: ValueRule
    /// The request for what the secret may do, and the path to its scopes.
    package var scopes: (request: ManifestRequest, path: JSONPath)?
  }

  /// A request that changes something.
  package struct Change: Sendable {
    package enum Method: String, CaseIterable, Sendable {
      case put = "PUT"
      case post = "POST"
      case delete = "DELETE"
      case patch = "PATCH"
    }

    package var method: Method
    package var request: ManifestRequest
  }

  /// Requests for a file, whose answer has the text in Base64, and for a folder.
  package struct Files: Sendable {
    /// The placeholders of the addresses besides that of the repository: the path in it, and a branch, tag or
    /// commit.
    static let names = ["file", "ref"]
    /// The members of an entry; the `type` of a folder is `folder`.
    static let members: [String: FieldType] = ["name": .text, "type": .text]

    /// The value of `{ref}` where none is asked for.
    package var ref: String?
    package var file: ManifestRequest
    package var content: JSONPath
    package var folder: ManifestRequest
    package var entries: JSONPath
    package var members: [ManifestPart.Member]
  }
}

/// A part of an entity that has a request of its own.
package struct ManifestPart: Sendable {
  package enum Name: String, CaseIterable, Sendable {
    case languages, readme, latestRelease, comments
  }

  /// How the response is read.
  package enum Content: Sendable {
    /// As numbers by name.
    case languages(areBytes: Bool)
    /// As a file in Base64.
    case file(JSONPath)
    case record([Member])
    /// As a list of records, without those of which a flag is set.
    case records(JSONPath, [Member], unless: JSONPath?, isNewestFirst: Bool)
  }

  /// A member of a record.
  package struct Member: Sendable {
    package var name: String
    package var type: FieldType
    package var rule: ValueRule
  }

  package var name: Name
  package var request: ManifestRequest
  /// The names of files to try; empty where the address has no `{file}`.
  package var files: [String] = []
  package var content: Content

  /// The field of the entity.
  var field: ResultField {
    switch name {
    case .languages: .languages
    case .readme: .readme
    case .latestRelease: .latestRelease
    case .comments: .comments
    }
  }

  /// The members that a record of the part can have, with their types.
  var members: [String: FieldType] {
    switch name {
    case .latestRelease: ["tag": .text, "name": .text, "publishedAt": .date]
    case .comments: ["author": .text, "createdAt": .date, "text": .text]
    case .languages, .readme: [:]
    }
  }
}
