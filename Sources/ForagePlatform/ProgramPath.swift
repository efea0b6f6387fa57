/// Where programs are sought where `PATH` is not set.
let standardFolders = "/usr/local/bin:/usr/bin:/bin"

/// Finds a program: the name itself where it is a path, else the first in the absolute folders of `PATH`;
/// `nil` where there is none.
///
/// A relative folder, or an empty one, would be one of whatever is worked on, such as a clone.
package func programPath(_ name: String, environment: [String: String]) -> String? {
  if name.utf8.contains(UInt8(ascii: "/")) { return isProgram(name) ? name : nil }
  let folders = absoluteFolders(environment["PATH"] ?? standardFolders)
  return folders.lazy.map { $0 + "/" + name }.first(where: isProgram)
}

/// The absolute folders of a `PATH`.
package func absoluteFolders(_ path: String) -> [Substring] {
  path.split(separator: ":").filter { $0.hasPrefix("/") }
}

/// Whether a path is that of a regular file that this user may execute.
package func isProgram(_ path: String) -> Bool {
  var status = stat()
  return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && access(path, X_OK) == 0
}
