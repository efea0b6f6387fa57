import Testing

@testable import ForageGit

@Suite struct CheckedBytesTests {
  /// An offset outside the bytes ends the process instead of reading what is there.
  @Test func accessOutsideTheBytes() async {
    await #expect(processExitsWith: .failure) {
      let bytes = [UInt8](repeating: 1, count: 8)
      _ = bytes.withUnsafeBytes { CheckedBytes($0).bigEndian64(1) }
    }
    await #expect(processExitsWith: .failure) {
      let bytes = [UInt8](repeating: 1, count: 20)
      _ = bytes.withUnsafeBytes { CheckedBytes($0).id(at: -1) }
    }
  }
}
