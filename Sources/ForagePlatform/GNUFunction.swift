/// A function of the C library whose declaration needs `_GNU_SOURCE`, without which Swift imports its
/// headers; `nil` where the library does not have it.
///
/// - Parameter type: Its type, `@convention(c)`.
package func gnuFunction<Function>(_ name: String, as type: Function.Type) -> Function? {
  // A null handle searches the whole program (`RTLD_DEFAULT`).
  dlsym(nil, name).map { unsafeBitCast($0, to: type) }
}
