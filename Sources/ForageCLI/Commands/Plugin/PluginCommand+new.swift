import ArgumentParser
import Forage
import ForageCore
import ForageFoundation
import ForagePlatform

extension PluginCommand {
  struct New: Command {
    static let configuration = CommandConfiguration(
      commandName: "new", abstract: "Create a provider from a template.")

    @Argument(help: ArgumentHelp("The id of the new provider.", valueName: "name"))
    var name: String
    @Option(
      name: .letter("k"),
      help: ArgumentHelp(
        "Create a manifest (YAML, no code), python or swift plugin (required).", valueName: "kind"),
      completion: .list(ProviderTemplate.Kind.allCases.map(\.rawValue)))
    var kind: String?
    @Option(
      help: ArgumentHelp(
        "Use the SDK package in a folder (only --kind swift).",
        valueName: "folder"))
    var sdk: String?

    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> ExitStatus {
      let taken = BuiltInProvider.types.map(\.name) + context.forage.installed().ids.all
      if let fault = ProviderTemplate.fault(in: name, taken: taken) { throw fault }
      guard let text = self.kind else {
        throw ForageError(
          "--kind is required: manifest, swift or python",
          hint: "for example: forage plugin new \(name.shellQuoted) --kind manifest")
      }
      let kind = try OptionValue.choice(ProviderTemplate.Kind.self, text, of: "--kind")
      let template = ProviderTemplate(id: name, sdk: try sdkFolder(for: kind, context))
      let files = try files(of: template, kind, context)
      let folder = FileManager.default.currentDirectoryPath + "/" + name
      guard !FileManager.default.fileExists(atPath: folder) else {
        throw ForageError("\(name) already exists", hint: "choose another name, or remove it")
      }
      do {
        for file in files {
          let path = folder + "/" + file.path
          try FileManager.default.createDirectory(
            atPath: parentFolder(of: path), withIntermediateDirectories: true)
          try Data(file.text.utf8).write(to: URL(fileURLWithPath: path))
        }
      } catch {
        throw ForageError(
          "\(folder) could not be written",
          hint: "check the permissions and the free space of the current folder")
      }
      for file in files { try context.output.result(name + "/" + file.path) }
      context.output.message("next: \(template.nextStep(kind)); then see \(name)/README.md")
      return .success
    }

    /// The files of a template, which is beside the installed program, or where the program was built.
    private func files(
      of template: ProviderTemplate, _ kind: ProviderTemplate.Kind, _ context: Context
    ) throws -> [ProviderTemplate.File] {
      let prefixes = context.forage.installed().prefixes
      let folders =
        prefixes.prefix(1).map { $0 + "/share/forage/templates/" + kind.rawValue }
        + prefixes.map { $0 + "/Plugins/templates/" + kind.rawValue }
      let found = folders.lazy.map { template.files(in: $0) }.first { !$0.isEmpty }
      guard let found else {
        throw ForageError("\(folders[0]) is missing", hint: "install the program again, with: make install")
      }
      return found
    }

    /// The folder of the package with the SDK: beside the installed program, or where the program was built.
    private func sdkFolder(for kind: ProviderTemplate.Kind, _ context: Context) throws -> String {
      guard kind == .swift else { return ProviderTemplate.standardSDK }
      guard let sdk else { return context.forage.installed().sdkFolder ?? ProviderTemplate.standardSDK }
      let folder = sdk.hasPrefix("/") ? sdk : FileManager.default.currentDirectoryPath + "/" + sdk
      guard InstalledProviders.hasSDK(folder) else {
        throw ForageError(
          "\(folder) does not contain the package with the SDK",
          hint: "name the folder of a checkout, or leave --sdk out")
      }
      return folder
    }
  }
}
