import Forage
import ForageCore
import Synchronization

/// A tool that agents call.
struct Tool: Sendable {
  /// What a tool does, for hosts that ask a person first.
  enum Effect: Hashable, Sendable {
    /// It reads, and may ask hosts.
    case reads(openWorld: Bool)
    /// It changes something that can be changed back.
    case changes
  }

  let name: String
  /// The name for people.
  let title: String
  /// What it does, for the model.
  let summary: String
  let parameters: [Parameter]
  /// The members of its answer besides `complete`, `providers` and `truncated`, by type: that of a schema, or
  /// `strings` for an array of them; other arrays have objects.
  let output: [(name: String, type: String)]
  let effect: Effect
  /// Answers a call whose arguments were checked.
  let answer: @Sendable (Forage, ToolArguments, OpenLists) async throws -> JSONTree

  /// The definition in `tools/list`.
  var definition: JSONTree {
    .object([
      "name": .string(name), "title": .string(title), "description": .string(summary),
      "inputSchema": ToolArguments.schema(parameters + [.maxChars]),
      "outputSchema": .object([
        "type": .string("object"),
        "properties": .object(
          Dictionary(
            uniqueKeysWithValues: output.map {
              ($0.name, Self.schema(of: $0.type))
            })),
        "required": .array([.string("complete"), .string("providers")]),
      ]),
      "annotations": annotations,
    ])
  }

  private static func schema(of type: String) -> JSONTree {
    switch type {
    case "array", "strings":
      let items = JSONTree.object(["type": .string(type == "strings" ? "string" : "object")])
      return .object(["type": .string("array"), "items": items])
    default: return .object(["type": .string(type)])
    }
  }

  /// Whether it may ask hosts.
  var asksHosts: Bool { effect != .reads(openWorld: false) }

  private var annotations: JSONTree {
    .object([
      "readOnlyHint": .bool(effect != .changes), "destructiveHint": .bool(false),
      "idempotentHint": .bool(true), "openWorldHint": .bool(asksHosts),
    ])
  }

  /// Checks the arguments and answers.
  ///
  /// - Parameters:
  ///   - forage: Its connections and tokens are used; settings are read again for each call.
  ///   - lists: The lists that cursors continue.
  func call(_ arguments: JSONTree, _ forage: Forage, _ lists: OpenLists) async -> ToolAnswer {
    let problems = Mutex<[ToolFailure]>([])
    var reporter = Reporter()
    (reporter.trace, reporter.tracesHeaders) = (forage.reporter.trace, forage.reporter.tracesHeaders)
    reporter.text = { $0.advice }
    reporter.problem = { message, hint in
      problems.withLock { $0.append(ToolFailure(message, hint: hint)) }
    }
    let own = forage.renewed(reportingTo: reporter)
    let result: ToolAnswer
    do {
      let checked = try ToolArguments(arguments, parameters + [.maxChars])
      await CatalogueCheck(own).run()
      result = ToolAnswer(try await answer(own, checked, lists), isError: false)
    } catch {
      let failure = ToolFailure(error, reported: problems.withLock { $0.first })
      let wanted = arguments["maxChars"].flatMap { Parameter.maxChars.meant(by: $0)?.integer }
      result = ToolAnswer(
        ResponseLimit.record(
          failure.members, maxChars: min(wanted ?? ResponseLimit.standard, ResponseLimit.maximum)),
        isError: true)
    }
    if await !lists.holds(own) { await own.close() }
    return result
  }
}

/// Why a call could not be answered: an argument, or what every provider said.
struct ToolFailure: Error, Sendable {
  var message: String
  /// What to do about it; empty where there is nothing but to try again.
  var hint: String
  /// What each provider said; empty where none was asked.
  var providers: [ProviderOutcome]
  /// The place of the mistake in the pattern or query, counted in characters from 0.
  var offset: Int?

  init(_ message: String, hint: String, providers: [ProviderOutcome] = []) {
    (self.message, self.hint, self.providers) = (message, hint, providers)
  }

  /// - Parameter reported: The messages of providers and clones before the failure.
  init(_ error: any Error, reported: ToolFailure?) {
    if let failure = error as? ToolFailure {
      self = failure
    } else if let failure = error as? AskedFailure {
      self.init(failure.error, reported: reported)
      providers = failure.providers
    } else if let known = ForageError(describing: error) {
      self = ToolFailure(known.message, hint: known.remedy?.advice ?? known.hint)
      if known.code == .failed, let reported { self = reported }
      if let place = (error as? QueryError)?.range.lowerBound {
        message += " (at offset \(place))"
        offset = place
      }
    } else {
      self.init("nothing could be answered", hint: "")
    }
  }

  var members: [String: JSONTree] {
    var error: [String: JSONTree] = [
      "message": .string(message), "hint": .string(hint.isEmpty ? "try again later" : hint),
    ]
    error["offset"] = offset.map(JSONTree.integer)
    return ["complete": .bool(false), "error": .object(error), "providers": providers.summary]
  }
}

extension Remedy {
  /// What to do, in the words of the tools.
  var advice: String {
    switch self {
    case .listCatalogue, .listClones: "see the tool clones"
    default: text
    }
  }
}

/// Why nothing could be answered, with the outcomes of those who were asked.
struct AskedFailure: Error {
  var error: any Error
  var providers: [ProviderOutcome]
}

/// What is sent for a call: the same JSON as structure and as text.
struct ToolAnswer: Sendable {
  var content: JSONTree
  var isError: Bool

  init(_ content: JSONTree, isError: Bool) {
    self.content = NeutralText.neutral(content)
    self.isError = isError
  }

  var text: String { ResponseLimit.text(content) }
}
