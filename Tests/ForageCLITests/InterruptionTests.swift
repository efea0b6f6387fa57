import Testing

@testable import ForageCLI

/// What ends a program whose work is waited for.
struct InterruptionTests {
  /// What wakes a screen in the same process is no signal: it would end the process of this test.
  @Test func aWakeEndsNothing() async throws {
    let interruption = Interruption()
    interruption.waitsForWork()
    #expect(interruption.removesFiles)
    try WakePipe.shared.open()
    WakePipe.shared.wake()
    try await Task.sleep(for: .milliseconds(50))
    while WakePipe.shared.read() != nil {}
  }
}
