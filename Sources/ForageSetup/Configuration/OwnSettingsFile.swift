import ForageCore
import ForageFoundation
import ForageGit
import ForagePlatform
import ForageStore
package import ForageYAML
package import Yams

/// A YAML file beside the settings that commands write; the user's own `config.yaml` is never written.
package protocol OwnSettingsFile: Sendable {
  associatedtype Content

  /// The name of the file.
  static var fileName: String { get }
  /// The name of the file in messages.
  static var noun: String { get }
  /// The comment at its beginning, with a line break at its end.
  static var head: String { get }
  /// The hint about a file that is not understood.
  static var advice: String { get }
  /// The content of an empty file.
  static var empty: Content { get }

  /// The path of the file; it need not exist.
  var path: String { get }

  init(path: String)

  /// The content of a document.
  ///
  /// - Parameter problem: The first problem of a part that is left out.
  /// - Throws: The problem of a document that is not understood.
  func content(of root: Node, _ problem: inout YAMLProblem?) throws(YAMLProblem) -> Content

  /// The lines behind the comment.
  static func lines(_ content: Content) -> [String]
}

extension OwnSettingsFile {
  /// - Parameter settings: The path of the settings.
  package init(beside settings: String) { self.init(path: parentFolder(of: settings) + "/" + Self.fileName) }

  /// The content of the file, and its first problem.
  package func read() -> (content: Content, problem: ForageError?) {
    do throws(ForageError) {
      return parsed(try SettingsBytes.read(path))
    } catch {
      return (Self.empty, error)
    }
  }

  /// Changes the content, one process at a time.
  ///
  /// - Parameters:
  ///   - creates: Whether there is something to change where there is no file.
  ///   - change: Changes the content; returns whether it has changed.
  /// - Throws: `ForageError` when the file is not understood or cannot be written; it is then unchanged.
  func change(creates: Bool, _ change: (inout Content) -> Bool) throws(ForageError) {
    guard try SettingsBytes.read(path) != nil || creates else { return }
    var problem: ForageError?
    let isWritten = PrivateFile.change(realPath(path) ?? path, limit: .max, waits: true, isLasting: true) {
      bytes in
      var content: Content
      (content, problem) = parsed(bytes)
      guard problem == nil, change(&content) else { return nil }
      return Array((Self.head + Self.lines(content).joined()).utf8)
    }
    if let problem { throw problem }
    guard isWritten else { throw ForageError(unwritable: path, Self.noun) }
  }

  private func parsed(_ bytes: [UInt8]?) -> (content: Content, problem: ForageError?) {
    var (content, problem): (Content, YAMLProblem?) = (Self.empty, nil)
    do throws(YAMLProblem) {
      if let root = try StrictYAML.document(bytes ?? []) { content = try self.content(of: root, &problem) }
    } catch {
      problem = error
    }
    return (content, problem.map { ForageError($0.text(path: path), hint: Self.advice) })
  }
}

/// Reads files of settings.
enum SettingsBytes {
  /// The content of a file, `nil` without one.
  ///
  /// - Throws: `ForageError` when it cannot be read, and where the path leads through a link to nowhere: what
  ///   the user has set is not known.
  static func read(_ path: String) throws(ForageError) -> [UInt8]? {
    // Another process may write the first one between a look and the other.
    for _ in 0..<2 {
      if let data = FileManager.default.contents(atPath: path) { return Array(data) }
      if let link = brokenLink(in: path) {
        throw ForageError(link == path ? nil : "\(path) cannot be read", brokenLink: link)
      }
      guard FileManager.default.fileExists(atPath: path) else { return nil }
    }
    if FileAccess.isDirectory(path) {
      throw ForageError("\(path) is a folder instead of a file", hint: "move the folder away")
    }
    throw ForageError("\(path) cannot be read", hint: "check the permissions of the file")
  }
}
