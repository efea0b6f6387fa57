public import Foundation

/// What GitHub tells of a repository only below its own address.
public struct FakeFacts: Sendable, Hashable {
  /// How the list of contributors is answered.
  public enum Contributors: Sendable, Hashable {
    /// The list, most commits first.
    case people([Person])
    /// 204: the repository is empty.
    case empty
    /// 403: the history is too long to be counted.
    case tooLarge
    /// 202: they are being counted.
    case counting
  }

  /// Somebody who has committed.
  public struct Person: Sendable, Hashable {
    /// The account; nil for an address that belongs to none.
    public var login: String?
    /// The name; only those without an account have one.
    public var name: String?
    /// How often.
    public var commits: Int

    /// Makes a person with an account, or one with just a name.
    public init(login: String? = nil, name: String? = nil, commits: Int) {
      self.login = login
      self.name = name
      self.commits = commits
    }
  }

  /// A release.
  public struct Release: Sendable, Hashable {
    /// The tag.
    public var tag: String
    /// The name; nil where none was given.
    public var name: String?
    /// When it was published.
    public var publishedAt: Date

    /// Makes a release.
    public init(tag: String, name: String? = nil, publishedAt: Date) {
      self.tag = tag
      self.name = name
      self.publishedAt = publishedAt
    }
  }

  /// Bytes by language; nil: the main language alone.
  public var languages: [String: Int]?
  /// Who has committed.
  public var contributors = Contributors.people([])
  /// The newest release; nil: none was made.
  public var release: Release?
  /// The bytes of `README.md`; nil: there is none.
  public var readme: [UInt8]?

  /// Makes no facts.
  public init() {}

  /// Sets the readme.
  public mutating func setReadme(_ text: String) { readme = Array(text.utf8) }
}
