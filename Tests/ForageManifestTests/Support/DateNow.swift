import Foundation

/// The time of day.
enum DateNow {
  /// Seconds since the beginning of 1970.
  static var seconds: Double { Date().timeIntervalSince1970 }
}
