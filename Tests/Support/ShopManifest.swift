public import Foundation

extension TemporaryDirectory {
  /// Writes the manifest of a provider `shop` with packages, whose rows have a `name`.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - address: The address of its API.
  ///   - items: The path of its rows.
  ///   - fields: Further lines of its map.
  @discardableResult
  public func writeShop(
    _ path: String, at address: String, items: String = "$.items[*]", fields: [String] = []
  ) throws -> URL {
    try write(
      path,
      """
      forage: 1
      id: shop
      name: Shop
      kinds: [package]
      request: {url: "\(address)", params: {q: "{text}"}}
      items: \(items)
      map:
        id: $.name
        url: {template: "https://shop.example/{0|segment}", args: [$.name]}
        title: $.name

      """ + fields.map { "  \($0)\n" }.joined())
  }
}
