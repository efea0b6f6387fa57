import ForageCore
package import ForageGit
package import ForageInspector
import ForagePlatform
import ForageStore
import ForageYAML

/// An error that ends what was asked for, with what to do about it.
///
/// Errors of providers and of the query have types of their own: `SearchError`, `QueryError`.
public struct ForageError: Error, Hashable {
  /// The kind of an error.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The name of the kind.
    public var rawValue: String

    /// Creates a kind; those of this library are constants.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A mistake in what was asked for, or in the settings.
    public static let usage = Code(rawValue: "usage")
    /// There is nothing of what was asked for.
    public static let nothingFound = Code(rawValue: "nothing_found")
    /// A part of what was asked for was not done.
    public static let partial = Code(rawValue: "partial")
    /// It failed: no one who was asked could answer, or a program failed.
    public static let failed = Code(rawValue: "no_answer")
    /// The work was cancelled.
    public static let interrupted = Code(rawValue: "interrupted")
  }

  /// The kind of an error.
  public var code: Code
  /// A sentence without a full stop that says what happened.
  public var message: String
  /// The action that helps.
  public var hint: String
  /// The action that helps, for a program with words of its own for it; `nil` where ``hint`` is all there is.
  package var remedy: Remedy?
  /// Lines behind the hint, for example further mistakes.
  public var details: [String]
  /// Whether it was reported before, so that it is not reported again.
  package var isReported = false

  /// Creates an error.
  public init(_ message: String, hint: String, details: [String] = [], code: Code = .usage) {
    self.message = message
    self.hint = hint
    self.details = details
    self.code = code
  }

  package init(_ message: String, _ remedy: Remedy, code: Code = .usage) {
    self.init(message, hint: remedy.text, code: code)
    self.remedy = remedy
  }

  /// Every problem of a file.
  init(_ problems: [YAMLProblem], in path: String) {
    self.init(
      problems.first?.text(path: path) ?? path, hint: problems.first?.hint ?? "",
      details: problems.dropFirst().flatMap { ["forage: " + $0.text(path: path), "hint: " + $0.hint] })
  }

  /// What cannot be done because of a link whose target is gone; `nil` where the link itself tells it.
  init(_ what: String?, brokenLink link: String) {
    self.init(
      "\(what.map { $0 + ": " } ?? "")\(link) is a link that leads nowhere",
      hint: "create what the link names, or remove the link")
  }

  /// Why a file of the user could not be written.
  ///
  /// - Parameter what: What the file is.
  init(unwritable path: String, _ what: String) {
    if let link = brokenLink(in: path) {
      self.init("\(what) cannot be written", brokenLink: link)
    } else {
      self.init(
        "\(what) \(path) cannot be written", hint: "check the permissions and the space of the folder")
    }
  }
}

extension ForageError {
  /// An error of a provider, a query, the store or a clone as an error of this library; `nil` for any other,
  /// also for a cancellation.
  package init?(describing error: any Error) {
    switch error {
    case let error as ForageError: self = error
    case let error as QueryError: self.init(error.message, hint: error.hint)
    case let error as SearchError:
      let isUsage = [.configuration, .invalidCursor].contains(error.code)
      self.init(error.message, hint: error.hint, code: isUsage ? .usage : .failed)
    case let error as StoreError: self.init(error.message, hint: error.hint, code: .failed)
    case let error as InspectionError: self.init(error)
    case let error as GitError: self.init(InspectionError(error))
    default: return nil
    }
  }

  /// Why what was asked for of a clone cannot be read.
  package init(unreadable error: GitError) {
    self = ForageError(error.message, .listCatalogue)
    if !error.hint.isEmpty { (hint, remedy) = (error.hint, nil) }
  }

  package init(_ error: InspectionError) { self.init(error.message, hint: error.hint, code: Code(error)) }

  /// The error as other packages can name it: one of the store or of a clone becomes an error of this
  /// library.
  package static func nameable(_ error: any Error) -> any Error {
    error is StoreError || error is InspectionError || error is GitError
      ? ForageError(describing: error) ?? error : error
  }
}

extension Forage {
  /// Does some work, and throws its errors as other packages can name them.
  package func throwingPublicErrors<Value>(_ work: () async throws -> Value) async throws -> Value {
    do { return try await work() } catch { throw ForageError.nameable(error) }
  }
}

extension ForageError.Code {
  /// The kind of an error of a clone: a path without one is a mistake in what was asked for, a clone that
  /// cannot be read gives no answer.
  package init(_ error: InspectionError) {
    self =
      switch error.code {
      case .notFound, .notARepository: .usage
      case .cancelled: .interrupted
      default: .failed
      }
  }
}
