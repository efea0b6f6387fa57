import ArgumentParser
import Forage
import ForageCore

/// `forage notification`: lists notifications of forges, and marks them as read.
struct NotificationCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "notification", abstract: "List notifications, and mark them as read.",
    subcommands: [List.self, Read.self], defaultSubcommand: List.self, aliases: ["notifications"])
}

extension NotificationCommand {
  /// `forage notification list`: the feed of notifications.
  struct List: ListCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "List unread notifications, the newest first.",
      discussion: "The same as: forage feed -k notification", aliases: ["ls"])

    @Option(name: .letter("p"), help: .providers, completion: Completion.providers)
    var provider: [String] = []
    @OptionGroup(title: "Results") var list: ListOptions
    @OptionGroup(title: "Output") var reporting: ReportOptions

    @Flag(help: .readNotifications)
    var all = false

    @OptionGroup var answers: AnswerOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> ExitStatus {
      try await FeedCommand.ofNotifications(
        list, reporting, answers, common, providers: provider, all: all
      ).run(in: context)
    }
  }
}

extension NotificationCommand {
  struct Read: Command {
    static let configuration = CommandConfiguration(
      commandName: "read", abstract: "Mark notifications of the last list as read.",
      discussion: """
        Needs a token with the scope notifications. --all marks everything that had arrived when the list was printed, after a question.

        Examples:
          forage feed -k notification
          forage notification read 3 5-7
          forage notification read --all

        Exit status: 0 all marked, 2 usage, 3 some marked, 4 none marked.
        """)

    @Argument(help: ArgumentHelp("Numbers of the last list (3 5-7).", valueName: "number"))
    var numbers: [String] = []
    @Flag(help: "Mark everything that had arrived when the list was printed.")
    var all = false
    @Flag(name: .shortAndLong, help: "With --all, do not ask.")
    var yes = false
    @Option(help: .timeoutOfEach)
    var timeout: String?
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> ExitStatus {
      let timeout = try TimeLimit.duration(timeout)
      guard all != !numbers.isEmpty else {
        throw ForageError(
          all ? "--all takes no numbers" : "nothing was named",
          hint: "for example: forage notification read 3 5-7, or forage notification read --all")
      }
      guard let list = context.lastList(), list.items.contains(where: { $0[.thread] != nil }) else {
        throw ForageError(
          "the last list of this terminal has no notifications",
          hint: "print one: forage feed -k notification")
      }
      let changes = try all ? everything(list, context) : threads(list)
      guard let changes else {
        context.output.message("nothing was marked")
        return .failed
      }
      return try await mark(changes, within: timeout, context)
    }

    private typealias Change = (what: ReadNotifications, host: String, name: String)

    /// The notifications with the numbers, each once.
    private func threads(_ list: LastList) throws -> [Change] {
      var (changes, seen) = ([Change](), Set<String>())
      for text in numbers {
        guard let numbers = try ListNumbers(text), numbers.range.upperBound <= list.last else {
          throw ForageError(
            "the last list of this terminal has no \(text)", hint: "its numbers are 1 to \(list.last)")
        }
        for number in numbers.range {
          let item = list[number]
          guard let thread = item[.thread]?.text, let host = item[.host]?.text else {
            throw ForageError(
              "\(number), \(item.title), is no notification",
              hint: "print a list: forage feed -k notification")
          }
          if seen.insert(host + " " + thread).inserted { changes.append((.thread(thread), host, item.title)) }
        }
      }
      return changes
    }

    /// Everything on the hosts of the list that it could show; `nil` where the user does not agree.
    private func everything(_ list: LastList, _ context: Context) throws -> [Change]? {
      let hosts = Set(list.items.filter { $0[.thread] != nil }.compactMap { $0[.host]?.text }).sorted()
      let question = "Mark all notifications on \(hosts.joined(separator: ", ")) as read?"
      guard try yes || Question.isAgreed(question, "marking all of them", "marked", context) else {
        return nil
      }
      return hosts.map { (.all(until: list.knownUntil), $0, "all notifications on \($0)") }
    }

    private func mark(_ changes: [Change], within timeout: Duration, _ context: Context) async throws
      -> ExitStatus
    {
      var done = 0
      for (index, change) in changes.enumerated() {
        guard let forge = context.forage.forgeProvider(at: change.host) else {
          let error = context.forage.noForge(at: change.host)
          context.output.problem(error.message, hint: error.advice)
          continue
        }
        if index > 0, forge.pauseBetweenChanges > .zero {
          await context.forage.reporter.waiting(for: "the pause between changes that the forge asks for") {
            try? await Task.sleep(for: forge.pauseBetweenChanges)
          }
        }
        let requests = RequestCounter()
        do {
          try Task.checkCancellation()
          try await context.forage.reporter.waiting(for: change.host) {
            try await requests.counting { try await forge.markRead(change.what, deadline: .now + timeout) }
          }
          done += 1
          try context.output.result("read: " + change.name)
        } catch let error where Task.isCancelled || error is CancellationError {
          let unknown = requests.count > 0 ? "it is unknown whether \(change.name) is read; " : ""
          throw ForageError(
            "interrupted: \(unknown)\(done) of \(changes.count) were marked as read",
            hint: "see: forage feed -k notification", code: .interrupted)
        } catch let error as SearchError {
          context.output.problem("\(change.name): \(error.message)", hint: error.advice)
          guard error.goesOn(after: index, of: changes.map(\.name), context.output) else { break }
        }
      }
      return done == changes.count ? .success : done == 0 ? .failed : .partial
    }
  }
}
