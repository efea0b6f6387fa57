package import ForageCore
import ForageHTTP

extension ManifestForgeProvider {
  /// The pages of a folder that are requested.
  private static let mostPages = 10

  /// Requests a file, and where there is none a folder.
  ///
  /// - Throws: `SearchError`: `notFound`; `invalidResponse` for a file whose text the forge leaves out, and
  ///   for anything else that is not known; `unsupportedQuery` where the manifest describes no files.
  package func contents(
    at path: String, in repository: EntityReference, ref: String?, deadline: ContinuousClock.Instant
  ) async throws -> RepositoryContents {
    guard let files = forge.files else {
      var error = lack("request for files")
      error.hint = "clone the repository to read them"
      throw error
    }
    var values = ManifestDetails.values(of: repository)
    values["ref"] = ref ?? files.ref
    values["file"] = path
    do {
      if !path.isEmpty, let file = try await file(files, values, deadline) { return file }
      let (names, hasMore) = try await folder(files, values, deadline)
      // Git has no empty folders, but a repository can be empty.
      if !names.isEmpty || path.isEmpty { return .folder(names, hasMore: hasMore) }
    } catch let error as SearchError where error.code == .notFound {}
    throw SearchError(
      .notFound,
      "\(name) has no \(path.isEmpty ? "files" : path) in \(repository.owner)/\(repository.name)"
        + (ref.map { " at \($0)" } ?? ""),
      hint: "check the name and the path, or list a folder by reading it, the root as .")
  }

  /// A file with its text; `nil` where it does not exist.
  ///
  /// - Throws: `SearchError`, also for a folder.
  func details(
    of file: EntityReference, at path: String, _ ref: String, deadline: ContinuousClock.Instant
  ) async throws -> EntityDetails? {
    guard let repository = file.repository else { return nil }
    let written = Task { await writtenName(of: repository, deadline: deadline) }
    defer { written.cancel() }
    let contents: RepositoryContents
    do {
      // Not every forge takes HEAD for its default branch.
      contents = try await self.contents(
        at: path, in: repository, ref: ref == "HEAD" ? nil : ref, deadline: deadline)
    } catch let error as SearchError where error.code == .notFound {
      return nil
    }
    guard case .file(let bytes) = contents else {
      throw SearchError(.invalidResponse, "this path is a folder", hint: "open its page in a browser")
    }
    let name = await Self.value(of: written, within: .seconds(1)) ?? repository.id
    let page = page(of: EntityReference(repository: name, subject: file.subject) ?? file)
    var item = SearchResult(id: file.id, kind: .code, title: path, url: page)
    item.set(.host, file.host)
    item.set(.repository, name)
    item.set(.path, path)
    item.set(.ref, ref)
    item.set("size", bytes.count)
    if let text = RepositoryFacts.text(bytes), !text.isEmpty {
      item[.fragments] = .items([
        .record(["text": .text(text), "line": .number(1), "matches": .items([])])
      ])
    }
    return EntityDetails(item: item)
  }

  /// The value of a task; `nil` where it takes longer.
  private static func value(of task: Task<String, Never>, within time: Duration) async -> String? {
    await withTaskGroup(of: String?.self) { group in
      group.addTask {
        await withTaskCancellationHandler {
          await task.value
        } onCancel: {
          task.cancel()
        }
      }
      group.addTask {
        try? await Task.sleep(for: time)
        return nil
      }
      defer { group.cancelAll() }
      return await group.next() ?? nil
    }
  }

  /// A repository with owner and name as the forge writes them, which the answer with a file need not tell;
  /// its id where that is not known.
  private func writtenName(of repository: EntityReference, deadline: ContinuousClock.Instant) async -> String
  {
    guard RepositoryIdentity.ignoresCase(repository.host) else { return repository.id }
    let found = try? await self.repository(repository, deadline: deadline)
    return RepositoryIdentity.spelled(repository.id, as: found?.url ?? "")
  }

  /// The file; `nil` where the path is that of anything else.
  private func file(
    _ files: ManifestForge.Files, _ values: [String: String], _ deadline: ContinuousClock.Instant
  ) async throws -> RepositoryContents? {
    do {
      let (tree, _) = try await client.get(
        try client.address(files.file, values), files.file, body: [], needsToken: false, deadline: deadline)
      guard let text = files.content.value(in: tree)?.string else { return nil }
      guard let bytes = RepositoryFacts.bytes(base64: text) else {
        throw SearchError(
          .invalidResponse, "\(name) sent \(values["file"] ?? "the file") damaged: its Base64 is not valid",
          hint: "try again later, or clone the repository to read it")
      }
      return .file(bytes)
    } catch let error as SearchError where error.code == .notFound {
      return nil
    }
  }

  private func folder(
    _ files: ManifestForge.Files, _ values: [String: String], _ deadline: ContinuousClock.Instant
  ) async throws -> (names: [String], hasMore: Bool) {
    let path = values["file"] ?? ""
    var request = files.folder
    if path.isEmpty { request.path = request.path.removing("file") }
    var names: [String] = []
    var url = try client.address(request, values)
    for page in 1...Self.mostPages {
      let (tree, response): (JSONTree, HTTPResponse)
      do {
        (tree, response) = try await client.get(
          url, request, body: [], needsToken: false, deadline: deadline)
      } catch is SearchError where page > 1 {
        return (names, true)
      }
      guard files.entries.outermostList(in: tree)?.array != nil else {
        throw SearchError(
          .invalidResponse,
          "\(path.isEmpty ? "the root" : path) is neither a file with a text nor a folder",
          hint: "clone the repository to read it")
      }
      names += files.entries.values(in: tree).compactMap { entry in
        let record = files.members.record(in: entry)
        return record["name"]?.text.map { record["type"]?.text == "folder" ? $0 + "/" : $0 }
      }
      guard let link = response.link("next"), !link.isEmpty else { return (names, false) }
      guard let next = url.resolving(link), next.hasSameOrigin(as: url) else { break }
      url = next
    }
    return (names, true)
  }
}
