// Forage opens no connection through libgit2, but libgit2 prepares TLS and SSH whenever it starts, and reads
// all certificates of the system for that: 8 to 10 ms, half of what a small inspection takes. The static
// release binary on Linux calls these functions instead of libgit2's own (see ARCHIVE_FLAGS in the Makefile);
// anywhere else nothing calls them.

/// Stands in for the function with which libgit2 prepares TLS when it starts.
///
/// - Returns: 0, which stands for success.
@_cdecl("__wrap_git_mbedtls_stream_global_init")
func prepareNoTLS() -> CInt { 0 }

/// Stands in for the function with which libgit2 prepares SSH when it starts.
///
/// - Returns: 0, which stands for success.
@_cdecl("__wrap_git_transport_ssh_global_init")
func prepareNoSSH() -> CInt { 0 }
