#if defined(__linux__)
#define _GNU_SOURCE
#endif

#include "supervisor.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#if defined(__linux__)
#include <sys/syscall.h>

// RENAME_EXCHANGE of <linux/fs.h>; musl has neither the call nor the flag, so the system is called directly.
static const unsigned exchange_flag = 1 << 1;
#endif

int forage_exchange(const char *first, const char *second) {
#if defined(__linux__) && defined(SYS_renameat2)
  if (syscall(SYS_renameat2, AT_FDCWD, first, AT_FDCWD, second, exchange_flag) == 0) return 0;
  return errno == EINVAL || errno == ENOSYS ? ENOTSUP : errno;
#elif defined(__APPLE__)
  return renamex_np(first, second, RENAME_SWAP) == 0 ? 0 : errno;
#else
  (void)first;
  (void)second;
  return ENOTSUP;
#endif
}
