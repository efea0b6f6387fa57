/// Repositories in a folder that git takes for those of forges, by `url.<base>.insteadOf` in a home's
/// configuration.
public struct GitForge: Sendable {
  private let directory: TemporaryDirectory

  /// Writes the configuration of git into the folder `home` of a directory.
  ///
  /// - Parameters:
  ///   - hosts: The hosts whose addresses lead into the folder.
  ///   - elsewhere: Other addresses by the beginning that they replace.
  public init(
    in directory: TemporaryDirectory, hosts: [String] = ["github.com"], elsewhere: [String: String] = [:]
  ) throws {
    self.directory = directory
    var lines: [String] = []
    for host in hosts {
      lines.append("[url \"file://\(directory.path("forge"))/\(host)/\"]")
      lines += ["insteadOf = https://\(host)/", "insteadOf = git@\(host):", "insteadOf = ssh://git@\(host)/"]
    }
    for (beginning, base) in elsewhere.sorted(by: { $0.key < $1.key }) {
      lines += ["[url \"\(base)\"]", "insteadOf = \(beginning)"]
    }
    try directory.write("home/.gitconfig", lines.map { $0 + "\n" }.joined())
  }

  /// Makes a repository with one commit.
  ///
  /// - Parameter name: `owner/name` or more parts, as the forge spells them.
  @discardableResult
  public func add(
    _ name: String, host: String = "github.com", files: [String: String] = ["main.swift": "print(1)\n"]
  ) async throws -> TemporaryRepository {
    let repository = try await TemporaryRepository.make("forge/\(host)/\(name)", in: directory)
    try await repository.commit("first", files: files)
    return repository
  }
}
