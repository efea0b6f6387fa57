/// The address of a forge.
package struct ForgeAddress: Hashable, Sendable {
  /// The base address of its API, for example `https://api.github.com` or `https://HOST/api/v3`.
  package var api: HTTPURL
  /// The host whose credentials are used, with its port unless that is the scheme's default.
  package var host: String
  /// The hosts whose entities it is authoritative for; the first is the one of a plain `owner/name`.
  package var entityHosts: [String]

  package init(api: HTTPURL, host: String, entityHosts: [String]) {
    (self.api, self.host, self.entityHosts) = (api, host, entityHosts)
  }
}
