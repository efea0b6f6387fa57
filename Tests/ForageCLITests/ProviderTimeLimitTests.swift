import ArgumentParser
import Forage
import ForageCore
import Foundation
import TestSupport
import Testing

@testable import ForageCLI

/// The limit of a provider beside the limit of the command.
struct ProviderTimeLimitTests {
  /// The settings, `--timeout`, and the limit of a plugin that has four seconds by default.
  @Test(
    arguments: [
      ("", nil, 4), ("", "30", 30), ("", "2", 2), ("timeout: 10", nil, 10), ("timeout: 10", "30", 10),
      ("timeout: 10", "2", 10),
    ] as [(String, String?, Int)])
  func aPlugin(settings: String, timeout: String?, expected: Int) async throws {
    try await withIsolatedHome { home in
      let folder = try home.directory.write(
        "acme/plugin.json",
        #"{"forage":1,"id":"acme","name":"Acme","version":"1","kinds":["repo"],"command":["true"]}"#
      ).deletingLastPathComponent().path
      if !settings.isEmpty {
        try home.writeConfig(
          "forage/config.yaml", "providers:\n  acme: {\(settings)}\n  github: {\(settings)}\n")
      }
      let options = try AnswerOptions.parse(timeout.map { ["--timeout", $0] } ?? [])
      let context = try Context(
        ProcessEnvironment(environment: variables(home), output: Capture().output()),
        output: Capture().output()
      ) { $0.pluginPaths = [folder] }
      let search = try SearchOptions(ListOptions.parse([]), options, continuing: nil)
      let registry = try SearchRunner(search, context.forage).choice.registry
      #expect(registry["acme"]?.timeout == .seconds(expected))
      // What has no limit of its own gets that of the settings or the command.
      let plain = settings.isEmpty ? timeout.flatMap { Int($0) } : 10
      #expect(registry["github"]?.timeout == plain.map { .seconds($0) })
      await context.close()
    }
  }
}
