/// The protocol `forage-plugin/1`: JSON-RPC 2.0 over standard input and output, one object per line, between
/// the host and a program that provides results.
///
/// The types of this module are its messages. Members may be added within a version, so unknown members are
/// ignored.
public enum PluginProtocol {
  /// The major version of the protocol, independent of any program's version.
  public static let version = 1

  /// The names of the methods.
  public enum Method {
    /// The first request, from host to plugin: `InitializeParams` to `InitializeResult`.
    public static let initialize = "initialize"
    /// The request for a search, from host to plugin: `SearchParams` to `SearchAnswer`.
    public static let search = "search"
    /// The request for a list without a query, from host to plugin, if declared: `SearchParams` to
    /// `SearchAnswer`.
    public static let feed = "feed"
    /// The request for details, from host to plugin, if declared: `DetailsParams` to `SearchAnswer`.
    public static let details = "details"
    /// A notification from plugin to host: `ItemsParams`, the items of a pending request.
    public static let items = "search/items"
    /// A request from plugin to host, while it answers one: `HTTPParams` to `HTTPResult`.
    public static let http = "http"
    /// A notification from host to plugin: `CancelParams`. The request is still answered.
    public static let cancel = "$/cancel"
  }

  /// The limits of the protocol.
  public enum Limits {
    /// The maximum length of a line in bytes, without its line feed: enough for a page of typical items, and
    /// small enough to buffer for every plugin.
    public static let line = 1 << 20
    /// The maximum size of an item as JSON, in bytes.
    public static let item = 64 << 10
    /// The maximum size of all items of a page as JSON, in bytes.
    public static let page = 8 << 20
    /// The maximum number of items of a page; larger pages delay the first result.
    public static let items = 200
    /// The maximum nesting of arrays and objects, which bounds the recursion of readers.
    public static let depth = 64
    /// The maximum number of JSON values of a page, including nested ones: 500 for each item.
    public static let values = 100_000
    /// The maximum number of requests `http` for one request of the host.
    public static let httpRequests = 20
    /// The maximum size of the body of an answer to `http`, in bytes.
    public static let httpBody = 5 << 20
    /// The maximum length of a line of the host in bytes: a body whose letters are all escaped.
    package static let hostLine = 6 * httpBody + line
    /// The maximum length of a message or a hint in Unicode scalars.
    public static let message = 500
    /// The maximum number of notes of a page: a page with more of them has one cause for many.
    package static let notes = 20
    /// The time from the start of the plugin to its response to `initialize`. Interpreters start in about a
    /// tenth of it.
    package static let handshake = Duration.seconds(3)
    /// The default time limit of a search.
    package static let search = Duration.seconds(4)
    /// The time within which a cancelled request must be answered.
    package static let cancelGrace = Duration.milliseconds(500)
    /// The maximum number of restarts within `restartWindow`.
    package static let restarts = 3
    /// The period in which restarts are counted.
    package static let restartWindow = Duration.seconds(300)
    /// The maximum number of lines on standard output that are not messages: enough for the greeting of a
    /// library, too few for a log.
    package static let protocolViolationLines = 20
  }
}

extension PluginProtocol.Limits {
  /// A message truncated to the maximum length.
  static func shortened(_ text: String) -> String { String(text.unicodeScalars.prefix(message)) }
}
