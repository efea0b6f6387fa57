import ForageCore
import ForageHTTP
import ForageHTTPLive
import ForagePluginSDK
import HackerNews

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The plugin program for Hacker News.
@main enum HackerNewsPlugin {
  /// The version in `plugin.json`.
  private static let version = "1.0.0"

  static func main() async {
    await PluginServer(name: HackerNewsProvider.id, version: version) { settings in
      let network = try NetworkSettings(environment: ProcessInfo.processInfo.environment)
      let base = settings.text("url") ?? HackerNewsProvider.usualBase
      return [
        try HackerNewsProvider(
          base: base, transport: Connections.live(network), userAgent: "forage-hackernews/" + version)
      ]
    }.run()
  }
}

/// Keeps connections open until the process ends; closing them would delay its exit.
enum Connections {
  private static let kept = SharedTransport()

  static func live(_ settings: NetworkSettings) -> HTTPTransport { kept.make(settings) }
}
