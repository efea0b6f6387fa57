/// A change of the star that a user gives a repository.
package enum StarChange: Sendable, Hashable {
  /// Adds a star.
  case add
  /// Removes a star.
  case remove

  /// The resulting state of the repository.
  package var done: String { self == .add ? "starred" : "unstarred" }
}
