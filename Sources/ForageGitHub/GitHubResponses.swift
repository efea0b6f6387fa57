import ForageCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The answer to a search: `GET /search/repositories`.
struct RepositorySearchResponse: Decodable {
  /// Items that are read of one page: ten times what was asked for at most.
  private static let maximumItems = 1000

  var totalCount: Int?
  var incompleteResults: Bool?
  var items: [Lenient<RepositoryResponse>]

  enum CodingKeys: String, CodingKey {
    case totalCount = "total_count"
    case incompleteResults = "incomplete_results"
    case items
  }

  /// Reads the items strictly as a list and the rest leniently.
  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    var list = try container.nestedUnkeyedContainer(forKey: .items)
    var items: [Lenient<RepositoryResponse>] = []
    while !list.isAtEnd, items.count < Self.maximumItems {
      items.append(try list.decode(Lenient<RepositoryResponse>.self))
    }
    self.items = items
    incompleteResults = try? container.decode(Bool.self, forKey: .incompleteResults)
    let number = try? container.decode(Int.self, forKey: .totalCount)
    totalCount = number ?? (try? container.decode(String.self, forKey: .totalCount)).flatMap { Int($0) }
  }
}

/// An element that may be unreadable without spoiling its list.
struct Lenient<Value: Decodable>: Decodable {
  var value: Value?

  init(from decoder: any Decoder) throws {
    value = try? Value(from: decoder)
  }
}

/// A repository as GitHub tells of it; everything but what names it may be missing.
struct RepositoryResponse: Decodable {
  struct Owner: Decodable {
    var login: String?
    var avatarURL: String?

    enum CodingKeys: String, CodingKey {
      case login
      case avatarURL = "avatar_url"
    }
  }

  struct License: Decodable {
    var key: String?
    var spdxID: String?

    enum CodingKeys: String, CodingKey {
      case key
      case spdxID = "spdx_id"
    }
  }

  var id: Int
  var name: String
  var fullName: String
  var htmlURL: String
  var owner: Owner?
  var description: String?
  var homepage: String?
  var language: String?
  var topics: [String]?
  var license: License?
  var stars: Int?
  var forks: Int?
  var watchers: Int?
  var subscribers: Int?
  var network: Int?
  var openIssues: Int?
  var size: Int?
  var fork: Bool?
  var archived: Bool?
  var isPrivate: Bool?
  var isTemplate: Bool?
  var mirrorURL: String?
  var defaultBranch: String?
  var createdAt: String?
  var updatedAt: String?
  var pushedAt: String?

  enum CodingKeys: String, CodingKey {
    case id, name, owner, description, homepage, language, topics, license, size, fork, archived
    case fullName = "full_name"
    case htmlURL = "html_url"
    case stars = "stargazers_count"
    case forks = "forks_count"
    case watchers = "watchers_count"
    case subscribers = "subscribers_count"
    case network = "network_count"
    case openIssues = "open_issues_count"
    case isPrivate = "private"
    case isTemplate = "is_template"
    case mirrorURL = "mirror_url"
    case defaultBranch = "default_branch"
    case createdAt = "created_at"
    case updatedAt = "updated_at"
    case pushedAt = "pushed_at"
  }

  /// Reads what names the repository strictly and the rest leniently: an odd optional field is as good as none.
  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    func optional<Value: Decodable>(_ key: CodingKeys, _ type: Value.Type = Value.self) -> Value? {
      guard let value = try? container.decodeIfPresent(type, forKey: key) else { return nil }
      return value
    }
    func count(_ key: CodingKeys) -> Int? {
      optional(key, Int.self) ?? optional(key, String.self).flatMap { Int($0) }
    }
    guard let id = count(.id) else {
      throw DecodingError.dataCorruptedError(forKey: .id, in: container, debugDescription: "no id")
    }
    self.id = id
    name = try container.decode(String.self, forKey: .name)
    fullName = try container.decode(String.self, forKey: .fullName)
    htmlURL = try container.decode(String.self, forKey: .htmlURL)
    owner = optional(.owner)
    description = optional(.description)
    homepage = optional(.homepage)
    language = optional(.language)
    topics = optional(.topics)
    license = optional(.license)
    (stars, forks, watchers) = (count(.stars), count(.forks), count(.watchers))
    (subscribers, network, openIssues) = (count(.subscribers), count(.network), count(.openIssues))
    size = count(.size)
    (fork, archived) = (optional(.fork), optional(.archived))
    (isPrivate, isTemplate) = (optional(.isPrivate), optional(.isTemplate))
    mirrorURL = optional(.mirrorURL)
    defaultBranch = optional(.defaultBranch)
    (createdAt, updatedAt, pushedAt) = (optional(.createdAt), optional(.updatedAt), optional(.pushedAt))
  }
}

/// What GitHub says when it does not answer.
struct ErrorResponse: Decodable {
  struct Detail: Decodable {
    var text: String

    enum CodingKeys: String, CodingKey { case message, resource, field, code }

    /// Reads `{"message": …}`, `{"resource", "field", "code"}` or a plain string.
    init(from decoder: any Decoder) throws {
      if let plain = try? decoder.singleValueContainer().decode(String.self) {
        text = plain
        return
      }
      let container = try decoder.container(keyedBy: CodingKeys.self)
      if let message = try? container.decode(String.self, forKey: .message) {
        text = message
      } else {
        text = [CodingKeys.resource, .field, .code].compactMap {
          try? container.decode(String.self, forKey: $0)
        }
        .joined(separator: " ")
      }
    }
  }

  var message: String?
  var error: String?
  var errors: [Lenient<Detail>]?

  enum CodingKeys: String, CodingKey { case message, error, errors }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    message = try? container.decode(String.self, forKey: .message)
    error = try? container.decode(String.self, forKey: .error)
    errors = try? container.decode([Lenient<Detail>].self, forKey: .errors)
  }
}
