public import ForageCore

extension ProviderComplianceTests {
  /// What the author of a provider knows about its contents, for the checks.
  public struct Samples: Sendable {
    /// Words with results, the best one first: one with many results, but few enough to be read to the end in
    /// `maximumPages`.
    public var words: [String]
    /// Qualifiers in the query language, such as `language:swift`, that hold for some results of the first
    /// word and not for others.
    public var qualifiers: [String]
    /// The kinds to check; `nil` for all that the provider offers.
    public var kinds: [ResultKind]?
    /// The time limit of one call.
    public var deadline: Duration
    /// The time that a call may run after its deadline or cancellation.
    public var grace: Duration
    /// The page size for reading a list; small, so that there are several pages.
    public var pageSize: Int
    /// The most pages of a list that are read, to limit the load on a live server.
    public var maximumPages: Int
    /// Whether every first page needs requests that the provider must count; `false` for one that needs no
    /// network or has a cache.
    public var sendsRequests: Bool
    /// Whether the feeds are checked; `false` if the run lacks a credential that they need.
    public var looksAtFeeds: Bool
    /// An entity that does not exist; set it if the generated name is not valid for the provider.
    public var unknownEntity: EntityReference?

    /// Creates samples.
    public init(
      words: [String], qualifiers: [String] = [], kinds: [ResultKind]? = nil,
      deadline: Duration = .seconds(10), grace: Duration = .seconds(1), pageSize: Int = 5,
      maximumPages: Int = 20, sendsRequests: Bool = false, looksAtFeeds: Bool = true,
      unknownEntity: EntityReference? = nil
    ) {
      self.words = words
      self.qualifiers = qualifiers
      self.kinds = kinds
      self.deadline = deadline
      self.grace = grace
      self.pageSize = pageSize
      self.maximumPages = maximumPages
      self.sendsRequests = sendsRequests
      self.looksAtFeeds = looksAtFeeds
      self.unknownEntity = unknownEntity
    }
  }
}
