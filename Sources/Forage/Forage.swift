public import ForageCore
import Synchronization

/// Searches everywhere code lives: GitHub, the clones on this machine, and providers of the program that uses this library.
///
/// It is made once and used for as long as the program runs:
///
/// ```swift
/// let forage = try Forage(adding: [MyProvider()])
/// for try await update in forage.search("http client language:swift") {
///   if case .finished(let report) = update { print(report.items.map(\.result.title)) }
/// }
/// await forage.close()
/// ```
///
/// Several searches may run at once. Nothing is printed; what a person may want to know arrives as updates of a search.
public final class Forage: Sendable {
  package let services: Services
  /// The searches that run, which ``close()`` ends; changed when one begins and ends.
  private let running = Mutex<(count: Int, tasks: [Int: Task<Void, Never>])>((0, [:]))

  /// Uses the settings and the environment of the user.
  ///
  /// - Parameter providers: Providers to ask beside those of the settings; one with the id of another provider is left out.
  /// - Throws: ``ForageError`` for settings that cannot be read.
  public convenience init(adding providers: [any SearchProvider] = []) throws {
    try self.init(ForageServices(), adding: providers)
  }

  /// Uses other services than those of the user.
  ///
  /// - Parameters:
  ///   - services: The services.
  ///   - providers: As for ``init(adding:)``.
  /// - Throws: ``ForageError`` for settings that cannot be read.
  public init(_ services: ForageServices, adding providers: [any SearchProvider] = []) throws {
    self.services = services.services(adding: providers)
    _ = try self.services.settings()
  }

  /// Uses services that were made before; settings that cannot be read fail what is asked for.
  package init(services: Services) { self.services = services }

  /// Searches all chosen providers and merges their results.
  ///
  /// - Parameters:
  ///   - query: Words and qualifiers, in GitHub's search syntax.
  ///   - options: How the search is made.
  /// - Returns: The updates of the search, which begins at once. It ends when nobody reads them any more.
  public func search(_ query: String, _ options: SearchOptions = SearchOptions()) -> SearchUpdates {
    updates(options) { try $0.search(query) }
  }

  /// Lists what the providers offer without a query: stars, clones with new commits, and others.
  ///
  /// - Returns: As for ``search(_:_:)``.
  public func feed(_ options: SearchOptions = SearchOptions()) -> SearchUpdates {
    updates(options) { try $0.feed() }
  }

  private func updates(
    _ options: SearchOptions, _ search: @escaping @Sendable (SearchRunner) throws -> FederatedSearch
  ) -> SearchUpdates {
    SearchUpdates { stream in
      let services = services.reporting(to: stream.reporter)
      return running.withLock { running in
        running.count += 1
        let number = running.count
        let task = Task { [weak self] in
          await stream.send {
            let runner = try SearchRunner(options, services)
            return try await runner.run(try search(runner), event: stream.send)
          }
          self?.running.withLock { $0.tasks[number] = nil }
        }
        running.tasks[number] = task
        return task
      }
    }
  }

  /// Ends the searches that run, child processes and connections. Nothing can be asked afterwards.
  public func close() async {
    let tasks = running.withLock { $0.tasks.values.map(\.self) }
    for task in tasks { task.cancel() }
    for task in tasks { await task.value }
    await services.close()
  }
}
