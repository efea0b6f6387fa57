import ForageClones
import ForageCore
package import ForageFoundation
import ForageGit
import ForagePlatform
package import ForageSetup
import ForageStore

/// How often clones were picked and how long ago: a pick weighs 1, and half as much after each week.
package struct PickUses: Sendable {
  private static let halving = 7.0 * 86_400
  /// More than anybody has clones; what weighs least is forgotten first.
  private static let maximumCount = 2_000
  private static let maximumBytes = 1 << 20

  private let path: String

  /// Names the file; nothing is read.
  package init(_ paths: Paths) { path = paths.stateFolder + "/picks" }

  private struct Use {
    var weight: Double
    /// When it had this weight, in seconds since 1970.
    var time: Double

    func weight(at now: Double) -> Double { weight * exp2(-max(0, now - time) / PickUses.halving) }
  }

  /// The weights of what was picked, by path or address.
  package func weights(at now: Date) -> [String: Double] {
    Self.entries(PrivateFile.read(path, limit: Self.maximumBytes)).mapValues {
      $0.weight(at: now.timeIntervalSince1970)
    }
  }

  /// Counts a pick; where the file cannot be written the order stays as it is.
  package func add(_ value: String, at now: Date) {
    let time = now.timeIntervalSince1970
    _ = PrivateFile.change(path, limit: Self.maximumBytes) { bytes in
      var entries = Self.entries(bytes)
      entries[value] = Use(weight: (entries[value]?.weight(at: time) ?? 0) + 1, time: time)
      let kept = entries.sorted { $0.value.weight(at: time) > $1.value.weight(at: time) }.prefix(
        Self.maximumCount)
      return Array(kept.map { "\($0.value.weight)\t\($0.value.time)\t\($0.key)\n" }.joined().utf8)
    }
  }

  private static func entries(_ bytes: [UInt8]?) -> [String: Use] {
    var entries: [String: Use] = [:]
    for line in String(decoding: bytes ?? [], as: UTF8.self).split(separator: "\n") {
      let fields = line.split(separator: "\t", maxSplits: 2)
      guard fields.count == 3, let weight = Double(fields[0]), let time = Double(fields[1]), weight.isFinite,
        weight >= 0
      else {
        continue
      }
      entries[String(fields[2])] = Use(weight: weight, time: time)
    }
    return entries
  }
}

/// Something that can be picked: a clone, or with more than clones a favorite or a starred repository without
/// one.
package struct Pickable: Sendable {
  /// The path of a clone, or the web address.
  package let value: String
  /// `owner/name`, with the host where it would mean another repository without it; of a clone without a
  /// forge that of its folder.
  package let name: String

  /// Everything that can be picked, clones first, by name: no clone that is away with its folder.
  ///
  /// - Parameter hasOthers: Whether favorites and stars without a clone are among them.
  package static func all(_ forage: Forage, hasOthers: Bool) async throws -> [Pickable] {
    let clones = try await CloneState.catalogued(forage)
    let unavailable = Set(CloneState.unavailable(clones).map { ExactText($0.path) })
    var found = clones.filter { !unavailable.contains(ExactText($0.path)) }.map {
      Pickable(
        value: $0.path, name: forage.shortName($0.name ?? String(FileAccess.name(of: $0.path))))
    }
    if hasOthers {
      var known = Set(clones.compactMap(\.id))
      let stars = StarMarks(forage)
      await stars.findAccounts()
      let favorites = try forage.store.existing()?.favorites().map(\.id) ?? []
      for id in favorites + stars.starred() {
        guard let entity = EntityReference(id, defaultHost: ""), entity.subject == .repository,
          known.insert(entity.id).inserted
        else { continue }
        found.append(
          Pickable(value: forage.page(of: entity) ?? entity.webAddress, name: forage.shortName(id)))
      }
    }
    return found.map { (key: $0.name.lowercased(), element: $0) }.sorted { $0.key < $1.key }.map(\.element)
  }
}
