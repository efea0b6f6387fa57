/// The protocol `forage-plugin/1`: JSON-RPC 2.0 over standard input and output, one object a line, between the host and a program that provides results.
///
/// The types of this module are its messages. Members may be added within a version, and unknown ones are ignored, so every type here reads
/// a message that has more than it knows.
public enum PluginProtocol {
  /// The major version that these types speak, independent of any program's version.
  public static let version = 1

  /// The names of the methods.
  public enum Method {
    /// Host to plugin, first of all: `InitializeParams` to `InitializeResult`.
    public static let initialize = "initialize"
    /// Host to plugin: `SearchParams` to `SearchAnswer`.
    public static let search = "search"
    /// Host to plugin, where declared: `FeedParams` to `SearchAnswer`.
    public static let feed = "feed"
    /// Host to plugin, where declared: `DetailsParams` to `SearchAnswer`.
    public static let details = "details"
    /// Plugin to host, a notification: `ItemsParams`, the items of a request that is not yet answered.
    public static let items = "search/items"
    /// Host to plugin, a notification: `CancelParams`. The request is still answered.
    public static let cancel = "$/cancel"
  }

  /// The bounds within which both sides stay.
  public enum Limits {
    /// Bytes of a line without its end: enough for a page of usual items, and little enough to be held for every plugin.
    public static let line = 1 << 20
    /// Bytes of one item as JSON: results are for lists, and a longer one is a document.
    public static let item = 64 << 10
    /// Bytes of all items of one page as JSON: a page of the most items, half of them of unusual size.
    public static let page = 8 << 20
    /// Items of one page: more only delay the first.
    public static let items = 200
    /// Arrays and objects within each other: readers recurse and must end somewhere.
    public static let depth = 64
    /// JSON values of one page, those within others included: 500 for each of the most items, and few enough to be read in milliseconds.
    public static let values = 100_000
    /// Unicode scalars of a message, a hint or a reason for missing results: a few lines, not a log.
    public static let message = 500
    /// Bytes of standard error that are kept: enough for the last traceback.
    public static let standardError = 256 << 10
    /// How long a plugin may take from its start to its answer to `initialize`: interpreters start in a tenth of it.
    public static let handshake = Duration.seconds(3)
    /// How long a search may take unless the settings say otherwise: less than a person waits for the whole.
    public static let search = Duration.seconds(4)
    /// How long a cancelled request may stay without an answer: long enough to notice, short enough not to be noticed.
    public static let cancelGrace = Duration.milliseconds(500)
    /// Starts after the first within `restartWindow`: what fails more often fails always.
    public static let restarts = 3
    /// The time within which restarts are counted: a passing trouble is over by then.
    public static let restartWindow = Duration.seconds(300)
    /// Lines of standard output that may be no messages: the greeting of a library is borne, a log is not.
    public static let protocolViolationLines = 20
  }
}

extension PluginProtocol.Limits {
  /// A message cut to the length that is shown.
  static func shortened(_ text: String) -> String { String(text.unicodeScalars.prefix(message)) }
}
