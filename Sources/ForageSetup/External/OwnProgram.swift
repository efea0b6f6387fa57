import ForagePlatform
import ForagePluginHost

/// The absolute path of this program, for settings of other programs; `nil` if the system does not provide
/// it.
///
/// - Parameter name: A program of this name in `PATH` is preferred where it leads here: its path stays when
///   this one is updated.
package func ownProgramPath(_ name: String, environment: [String: String]) -> String? {
  guard let file = PluginSearchPath.executable.flatMap(realPath) else { return nil }
  guard let found = programPath(name, environment: environment), realPath(found) == file else { return file }
  return found
}
