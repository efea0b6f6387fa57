public import ForageCore

extension ProviderComplianceTests {
  /// What the author of a provider knows about what it holds, so that the checks have something to look at.
  public struct Samples: Sendable {
    /// Words that are known to match, the best one first: many items, but few enough to be read to the end in `maximumPages`.
    public var words: [String]
    /// Qualifiers in the query language, such as `language:swift`, that hold for some of the items of the first word and not for others.
    public var qualifiers: [String]
    /// The kinds to look at, `nil` for all that the provider offers.
    public var kinds: [ResultKind]?
    /// How long one call may take.
    public var deadline: Duration
    /// How much longer a call may run after its deadline, or after it was cancelled.
    public var grace: Duration
    /// How many items are asked for at once when a list is read; small, so that there are several pages.
    public var pageSize: Int
    /// After how many pages reading a list is given up, so that a run on a live server stays polite.
    public var maximumPages: Int
    /// Whether every first page costs requests that the provider must count; leave it out for what works without a network or has a cache.
    public var sendsRequests: Bool
    /// Whether the feeds are looked at; leave them out where the run lacks a credential that they need.
    public var looksAtFeeds: Bool
    /// An entity that no forge has, where the usual made-up name will not do.
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
