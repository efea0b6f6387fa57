/// rg, which does what `forage grep` does.
package enum RipgrepPath {
  /// Has the number of the process that became rg. A script of that name that leads back here, directly or as
  /// its parent, would do so for ever.
  package static let variable = "FORAGE_BECAME_RG"

  /// Finds rg in the absolute folders of `PATH`; this program under that name is none, and neither is a
  /// script that led back here.
  package static func find(environment: [String: String]) -> String? {
    let isBack =
      environment[variable].flatMap { Int32($0) }.map { [getpid(), getppid()].contains($0) } ?? false
    return absoluteFolders(environment["PATH"] ?? standardFolders).lazy.map { $0 + "/rg" }.first {
      isProgram($0) && !isThisProgram($0) && !(isBack && isScript($0))
    }
  }

  /// Whether a path leads to the program that runs.
  private static func isThisProgram(_ path: String) -> Bool {
    var (own, other) = (stat(), stat())
    // Elsewhere a link of that name leads back here, which is told by the variable.
    guard stat("/proc/self/exe", &own) == 0, stat(path, &other) == 0 else { return false }
    return own.st_dev == other.st_dev && own.st_ino == other.st_ino
  }

  private static func isScript(_ path: String) -> Bool {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return false }
    defer { close(file) }
    var bytes: [UInt8] = [0, 0]
    return read(file, &bytes, 2) == 2 && bytes.elementsEqual("#!".utf8)
  }
}
