import ForageCore
import ForageGit
import ForageHTTP
import ForageInspector

/// An action that helps with a problem; the program that shows it adds its own commands and options.
package enum Remedy: Hashable, Sendable {
  /// Adds a folder on this disk as a clone.
  case addClone(String)
  case addCloneFolder
  case addFavorite
  case allowSecret
  case allowTime
  case askAgain
  case checkAccess
  case chooseProvider([String])
  case clone(String)
  case diagnose
  case enableForge(String)
  case enableProvider
  /// The fix of a clone of which the cause is known.
  case fixClone(String)
  case indexCode
  case installManifest
  case installProvider
  case listCatalogue
  case listClones
  case listPlugins
  case listProviders
  case listSections
  case nameIssue(String)
  case printList
  case removeCloneFolder(String)
  case repairClone
  case scanClones
  case traceRequests
  case useGit
  case waitForLimit
  case writeQuery

  /// The remedy for a clone of the catalogue that cannot be read: the same in every command.
  package static func unreadableClone(at path: String) -> Remedy {
    if FileAccess.entry(path) == nil, let hint = CloneProbe.mountHint(path, isEmptySign: false) {
      return .fixClone(hint)
    }
    if !CloneProbe.isClone(path) { return .scanClones }
    if CloneProbe.isUnsupported(path) { return .useGit }
    return CloneProbe.advice(path).map(Remedy.fixClone) ?? .repairClone
  }

  /// The text that any program can show.
  package var text: String {
    switch self {
    case .addClone: "add it to the catalogue"
    case .addCloneFolder: "add a folder of clones"
    case .addFavorite: "add one first"
    case .allowSecret: "allow it when you are asked"
    case .allowTime: "allow more time"
    case .askAgain: "ask again later"
    case .checkAccess: "check the name; for a private one set a token"
    case .chooseProvider(let ids): "choose one that has it: " + ids.joined(separator: ", ")
    case .clone: "clone it first"
    case .diagnose: "see the errors of the providers"
    case .enableForge(let id): "enable \(id) in the settings"
    case .enableProvider: "name one, or enable one in the settings"
    case .fixClone(let hint): hint
    case .indexCode, .scanClones: "scan the folders of clones again"
    case .installManifest: "install Forage with its share folder, or install a manifest"
    case .installProvider: "install it, or remove the line; for a server add type and url"
    case .listCatalogue: "list the clones of the catalogue"
    case .listClones: "list the clones to see why"
    case .listPlugins: "use the id of an installed plugin or manifest"
    case .listProviders: "add the server to the settings"
    case .listSections: "sections: " + InspectionSection.allCases.map(\.rawValue).joined(separator: ", ")
    case .nameIssue(let number): "print a list first, or write #\(number) for the issue of this clone"
    case .printList: "print a list first"
    case .removeCloneFolder: "remove it from the folders of clones"
    case .repairClone: "run git fsck in it, or clone it again, then scan the folders of clones"
    case .traceRequests: "look at the requests"
    case .useGit: "use git itself for this repository"
    case .waitForLimit: "wait for its end"
    case .writeQuery: "write what to look for, for example: http client language:swift"
    }
  }
}
