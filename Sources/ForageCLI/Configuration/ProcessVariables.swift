#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The variables of this process.
package enum ProcessVariables {
  /// All of them.
  package static var all: [String: String] { ProcessInfo.processInfo.environment }
}
