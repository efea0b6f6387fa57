import ForageCore
import ForageHTTP
import ForageHTTPLive
import ForagePluginSDK

/// The plugin program for Hacker News.
@main enum HackerNewsPlugin {
  /// The version in `plugin.json`.
  private static let version = "1.0.0"

  static func main() async {
    await PluginServer(version: version) { settings in
      let base = settings.text("url") ?? HackerNewsProvider.usualBase
      return [
        try HackerNewsProvider(
          base: base, transport: try .live(), userAgent: "forage-hackernews/" + version)
      ]
    }.run()
  }
}
