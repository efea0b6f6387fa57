import Foundation
import Synchronization

extension FakeGitHub {
  /// Seconds of a window: searches are counted by the minute, all else by the hour.
  private static func windowLength(_ resource: String) -> Int { resource == "core" ? 3600 : 60 }

  private static func limit(_ resource: String, token: String?) -> Int {
    switch resource {
    case "search": token == nil ? 10 : 30
    case "code_search": 10
    default: token == nil ? 60 : 5000
    }
  }

  /// Counts a request and gives the headers that tell about it; `exceeded` when it must be refused.
  func charge(
    _ call: Call, _ limits: Limits, free: Bool
  ) -> (headers: [ScriptedResponse.Header], exceeded: Bool) {
    guard case .github(let enforced) = limits else { return ([], false) }
    let resource = call.resource
    let limit = Self.limit(resource, token: call.token)
    let (window, exceeded) = state.withLock { state -> (Window, Bool) in
      var window = current(&state, resource, call.token)
      let exceeded = enforced && !free && window.used >= limit
      if !free, !exceeded { window.used = min(window.used + 1, enforced ? limit : limit - 1) }
      state.windows[Self.key(resource, call.token)] = window
      return (window, exceeded)
    }
    let headers: [ScriptedResponse.Header] = [
      ("X-RateLimit-Limit", String(limit)), ("X-RateLimit-Remaining", String(limit - window.used)),
      ("X-RateLimit-Reset", String(window.reset)), ("X-RateLimit-Used", String(window.used)),
      ("X-RateLimit-Resource", resource),
    ]
    return (headers, exceeded)
  }

  /// Counts requests of others with the same token.
  public func use(_ count: Int, of resource: String, token: String?) {
    state.withLock { state in
      var window = current(&state, resource, token)
      window.used += count
      state.windows[Self.key(resource, token)] = window
    }
  }

  /// Forgets what was counted, as if the windows had passed.
  public func resetLimits() { state.withLock { $0.windows = [:] } }

  private static func key(_ resource: String, _ token: String?) -> String { "\(resource) \(token ?? "")" }

  private func current(_ state: inout State, _ resource: String, _ token: String?) -> Window {
    let now = Int(Date().timeIntervalSince1970)
    if let window = state.windows[Self.key(resource, token)], window.reset > now { return window }
    return Window(reset: now + Self.windowLength(resource))
  }

  /// `/rate_limit`, which costs nothing; 404 where limits are switched off.
  func rateLimit(_ call: Call, _ options: Options) -> FakeAnswer {
    guard options.limits != .absent else { return .error(404, "Rate limiting is not enabled.") }
    func object(_ resource: String) -> FakeJSON {
      let limit = Self.limit(resource, token: call.token)
      let window = state.withLock { current(&$0, resource, call.token) }
      return [
        "limit": .int(limit), "used": .int(window.used), "remaining": .int(limit - window.used),
        "reset": .int(window.reset),
      ]
    }
    let core = object("core")
    return FakeAnswer(
      status: 200, headers: [("Cache-Control", "no-cache")],
      json: [
        "resources": ["core": core, "search": object("search"), "code_search": object("code_search")],
        "rate": core,
      ])
  }
}
