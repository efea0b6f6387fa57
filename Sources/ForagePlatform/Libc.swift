// The C library of the system, under one name for every module that needs it.
#if canImport(Glibc)
  @_exported public import Glibc
#elseif canImport(Musl)
  @_exported public import Musl
#else
  @_exported public import Darwin
#endif

#if canImport(Darwin)
  /// The program that opens an address with the browser of the user.
  package let addressOpener = "open"
  /// The folders of Apple's developer tools.
  package let developerFolders = [
    "/Library/Developer/CommandLineTools", "/Applications/Xcode.app/Contents/Developer",
  ]
#else
  /// The program that opens an address with the browser of the user.
  package let addressOpener = "xdg-open"
  /// The folders of Apple's developer tools.
  package let developerFolders: [String] = []
#endif

extension stat {
  /// The time of the last change of the contents.
  @inlinable package var modified: timespec {
    #if canImport(Darwin)
      st_mtimespec
    #else
      st_mtim
    #endif
  }

  /// The time of the last change of the contents or the status, which only the system sets.
  @inlinable package var changed: timespec {
    #if canImport(Darwin)
      st_ctimespec
    #else
      st_ctim
    #endif
  }
}

#if canImport(Darwin)
  /// The stream that `opendir` returns.
  package typealias DirectoryStream = UnsafeMutablePointer<DIR>
#else
  package typealias DirectoryStream = OpaquePointer
#endif
