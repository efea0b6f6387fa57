import CLibGit2

/// Replaces libgit2's backend for loose objects.
///
/// libgit2 1.5.1 trusts loose objects. If the content is longer than the header states, it writes past the
/// end of its buffer (its issue 7177); on a truncated object it loops forever; on a pipe it blocks. Crafted
/// repositories and full disks produce such objects.
extension LooseObjects {
  /// Makes a database, and its alternates, read loose objects through ``LooseObjects``.
  ///
  /// - Parameters:
  ///   - database: the database with all its backends, not yet used by another thread.
  ///   - objects: its folder.
  /// - Throws: `other` if libgit2 refuses the backend.
  static func installLooseBackend(on database: OpaquePointer, objects: String) throws(GitError) {
    for position in 0..<git_odb_num_backends(database) {
      var backend: UnsafeMutablePointer<git_odb_backend>?
      // Only the backends of loose objects have `readstream`.
      guard git_odb_get_backend(&backend, database, position) == 0, let backend,
        backend.pointee.readstream != nil
      else { continue }
      backend.pointee.read = { _, _, _, _, _ in GIT_ENOTFOUND.rawValue }
      backend.pointee.read_header = { _, _, _, _ in GIT_ENOTFOUND.rawValue }
      backend.pointee.read_prefix = nil
      backend.pointee.readstream = nil
    }
    let own = UnsafeMutablePointer<forage_odb_backend>.allocate(capacity: 1)
    own.initialize(to: forage_odb_backend())
    own.pointee.parent.version = UInt32(GIT_ODB_BACKEND_VERSION)
    own.pointee.context = Unmanaged.passRetained(LooseObjects(objects: objects)).toOpaque()
    own.pointee.parent.read = { data, size, type, backend, id in
      guard let data, let size, let type, let backend, let id else { return GIT_ERROR.rawValue }
      return LooseObjects.of(backend)?.read(id, backend, data, size, type) ?? GIT_ERROR.rawValue
    }
    own.pointee.parent.read_header = { size, type, backend, id in
      guard let size, let type, let backend, let id else { return GIT_ERROR.rawValue }
      return LooseObjects.of(backend)?.readHeader(id, size, type) ?? GIT_ERROR.rawValue
    }
    own.pointee.parent.free = { backend in if let backend { LooseObjects.free(backend) } }
    let added = own.withMemoryRebound(to: git_odb_backend.self, capacity: 1) { backend in
      // The lowest priority, so that packs are searched first.
      let status = git_odb_add_alternate(database, backend, 0)
      if status != 0 { free(backend) }
      return status
    }
    try LibGit2.check(added, "setting up the object database")
  }

  private static func of(_ backend: UnsafeMutablePointer<git_odb_backend>) -> LooseObjects? {
    backend.withMemoryRebound(to: forage_odb_backend.self, capacity: 1) { own in
      own.pointee.context.map { Unmanaged<LooseObjects>.fromOpaque($0).takeUnretainedValue() }
    }
  }

  private static func free(_ backend: UnsafeMutablePointer<git_odb_backend>) {
    backend.withMemoryRebound(to: forage_odb_backend.self, capacity: 1) { own in
      if let context = own.pointee.context { Unmanaged<LooseObjects>.fromOpaque(context).release() }
      own.deinitialize(count: 1)
      own.deallocate()
    }
  }

  private func read(
    _ id: UnsafePointer<git_oid>, _ backend: UnsafeMutablePointer<git_odb_backend>,
    _ data: UnsafeMutablePointer<UnsafeMutableRawPointer?>, _ size: UnsafeMutablePointer<Int>,
    _ type: UnsafeMutablePointer<git_object_t>
  ) -> Int32 {
    let status = withContent(ObjectID(id.pointee)) { content in
      guard let content else { return Self.failed("a loose object cannot be read") }
      let unpacked = LooseInflation.object(
        content, allocate: { git_odb_backend_data_alloc(backend, $0) },
        free: { git_odb_backend_data_free(backend, $0) })
      guard let unpacked else { return Self.failed("a loose object is damaged") }
      (data.pointee, size.pointee, type.pointee) = (unpacked.data, unpacked.size, unpacked.kind.type)
      return 0
    }
    return status ?? GIT_ENOTFOUND.rawValue
  }

  private func readHeader(
    _ id: UnsafePointer<git_oid>, _ size: UnsafeMutablePointer<Int>,
    _ type: UnsafeMutablePointer<git_object_t>
  ) -> Int32 {
    let status = withContent(ObjectID(id.pointee), limit: LooseInflation.headerFileLimit) { content in
      guard let content else { return Self.failed("a loose object cannot be read") }
      guard let header = LooseInflation.header(content) else {
        return Self.failed("a loose object is damaged")
      }
      (size.pointee, type.pointee) = (header.size, header.kind.type)
      return 0
    }
    return status ?? GIT_ENOTFOUND.rawValue
  }

  private static func failed(_ message: String) -> Int32 {
    git_error_set_str(Int32(GIT_ERROR_ODB.rawValue), message)
    return GIT_ERROR.rawValue
  }
}
