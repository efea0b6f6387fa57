import ForagePlatform

/// Pseudo-terminals, by the kernel's own interface on Linux (`posix_openpt` is hidden from Swift there).
enum Terminal {
  /// Sizes beyond this do not fit the kernel's `winsize`.
  private static let maximumSide = Int(UInt16.max)

  /// Opens a new master; negative on failure.
  static func open() -> Int32 {
    #if canImport(Darwin)
      return posix_openpt(O_RDWR | O_NOCTTY)
    #else
      return sysOpen("/dev/ptmx")
    #endif
  }

  /// Unlocks the other side and returns its path.
  static func slaveName(_ master: Int32) throws -> String {
    #if canImport(Darwin)
      try Spawn.checkErrno(grantpt(master), "grantpt")
      try Spawn.checkErrno(unlockpt(master), "unlockpt")
      guard let name = ptsname(master) else { throw Spawn.failure("ptsname", errno) }
      return String(cString: name)
    #else
      // TIOCSPTLCK and TIOCGPTN of ioctl_tty(2).
      var unlocked: Int32 = 0
      try Spawn.checkErrno(ioctl(master, 0x4004_5431, &unlocked), "TIOCSPTLCK")
      var number: UInt32 = 0
      try Spawn.checkErrno(ioctl(master, 0x8004_5430, &number), "TIOCGPTN")
      return "/dev/pts/\(number)"
    #endif
  }

  /// Sets the size, and switches off echo and the rewriting of line ends.
  static func setUp(_ master: Int32, slave: String, columns: Int, rows: Int) throws {
    let terminal = sysOpen(slave)
    guard terminal >= 0 else { throw Spawn.failure("open \(slave)", errno) }
    defer { close(terminal) }
    var modes = termios()
    try Spawn.checkErrno(tcgetattr(terminal, &modes), "tcgetattr")
    modes.c_oflag &= ~tcflag_t(OPOST)
    modes.c_lflag &= ~tcflag_t(ECHO)
    try Spawn.checkErrno(tcsetattr(terminal, TCSANOW, &modes), "tcsetattr")
    try Spawn.checkErrno(resize(master, columns: columns, rows: rows), "TIOCSWINSZ")
  }

  /// Sets the size; the processes of the terminal get `SIGWINCH` where it has changed.
  @discardableResult
  static func resize(_ master: Int32, columns: Int, rows: Int) -> Int32 {
    var size = winsize()
    size.ws_col = UInt16(min(max(columns, 0), maximumSide))
    size.ws_row = UInt16(min(max(rows, 0), maximumSide))
    return ioctl(master, UInt(TIOCSWINSZ), &size)
  }

  private static func sysOpen(_ path: String) -> Int32 {
    ForagePlatform.open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
  }
}
