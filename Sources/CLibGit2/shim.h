#ifndef FORAGE_CLIBGIT2_SHIM_H
#define FORAGE_CLIBGIT2_SHIM_H
#include <git2.h>
#if __has_include(<git2/sys/errors.h>)
#include <git2/sys/errors.h>
#endif
#include <git2/sys/odb_backend.h>
#include <git2/sys/repository.h>
#include <zlib.h>
#ifndef __APPLE__
#include <iconv.h>
#endif
#ifdef __linux__
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

/* git_libgit2_opts is variadic, which Swift cannot call. */

static inline int forage_git_set_strict_hash_verification(int enabled) {
  return git_libgit2_opts(GIT_OPT_ENABLE_STRICT_HASH_VERIFICATION, enabled);
}

static inline int forage_git_set_cache_object_limit(git_object_t type, size_t bytes) {
  return git_libgit2_opts(GIT_OPT_SET_CACHE_OBJECT_LIMIT, type, bytes);
}

static inline int forage_git_set_cache_max_size(ssize_t bytes) {
  return git_libgit2_opts(GIT_OPT_SET_CACHE_MAX_SIZE, bytes);
}

static inline int forage_git_set_owner_validation(int enabled) {
  return git_libgit2_opts(GIT_OPT_SET_OWNER_VALIDATION, enabled);
}

/* The extensions that may be open()ed; values are checked before, in Swift. Spelled in lower case. */
static inline int forage_git_allow_checked_extensions(void) {
  static const char *names[] = {
    "noop-v1", "worktreeconfig", "partialclone", "preciousobjects", "relativeworktrees",
    "objectformat", "refstorage",
  };
  return git_libgit2_opts(GIT_OPT_SET_EXTENSIONS, names, sizeof(names) / sizeof(names[0]));
}

/* A backend with something of ours. */
typedef struct {
  git_odb_backend parent;
  void *context;
} forage_odb_backend;

#ifdef __linux__
#ifndef SYS_openat2
/* The same number on every architecture. */
#define SYS_openat2 437
#endif
/* openat2(2) through no link and not above the folder. C libraries have no function for it, and syscall(2) is
   variadic, too. */
static inline int forage_open_beneath(int folder, const char *path, int flags) {
  /* struct open_how with RESOLVE_NO_SYMLINKS and RESOLVE_BENEATH, whose header older systems lack. */
  struct {
    uint64_t flags, mode, resolve;
  } how = {(uint64_t)flags, 0, 0x04 | 0x08};
  return (int)syscall(SYS_openat2, folder, path, &how, sizeof(how));
}
#endif

/* Swift does not import macros either. */
static inline int forage_inflate_init(z_stream *stream) { return inflateInit(stream); }

#endif
