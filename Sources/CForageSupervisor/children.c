#if defined(__linux__)
#define _GNU_SOURCE
#endif

#include "children.h"

#if defined(__linux__)
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

// The mark of a program's processes is a limit of their own on file locks. It passes to every child, through
// `execve` too, only a privileged process can raise it again, and since Linux 2.4.25 it limits nothing.
static const rlim_t marked_locks = 1 << 30;

void forage_mark_process(void) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_LOCKS, &limit) != 0) return;
  // A program may itself be a host of programs.
  rlim_t own = limit.rlim_max > marked_locks || limit.rlim_max == 0 ? marked_locks : limit.rlim_max - 1;
  limit = (struct rlimit){own, own};
  setrlimit(RLIMIT_LOCKS, &limit);
}

static int is_marked(pid_t process) {
  struct rlimit own, other;
  return getrlimit(RLIMIT_LOCKS, &own) == 0 && prlimit(process, RLIMIT_LOCKS, NULL, &other) == 0 &&
         other.rlim_max != own.rlim_max;
}

// The children are found in /proc/PID/stat of all processes, because not every kernel has
// /proc/PID/task/TID/children (CONFIG_PROC_CHILDREN). Nothing is allocated, as behind `fork` in a program of
// several threads nothing may be; `opendir` allocates.

// An entry of a folder as of getdents64(2).
struct entry {
  uint64_t inode;
  int64_t offset;
  uint16_t length;
  uint8_t type;
  char name[];
};

// Room for "/proc/", the largest process number, and "/stat".
enum { path_size = 32 };

// The number that a text consists of; 0 for any other text.
static pid_t number(const char *text) {
  pid_t value = 0;
  if (*text == 0) return 0;
  for (; *text != 0; text++) {
    if (*text < '0' || *text > '9' || value > INT32_MAX / 10 - 1) return 0;
    value = value * 10 + (*text - '0');
  }
  return value;
}

// The parent of a process; 0 if the process is gone.
static pid_t parent_of(const char *digits) {
  char path[path_size] = "/proc/";
  int length = 6;
  for (const char *digit = digits; *digit != 0 && length < path_size - 6; digit++) path[length++] = *digit;
  for (const char *tail = "/stat"; *tail != 0; tail++) path[length++] = *tail;
  path[length] = 0;
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  char text[512];
  ssize_t got = read(file, text, sizeof text);
  close(file);
  // "PID (NAME) STATE PARENT": the name may contain anything, and the last ")" ends it.
  const char *end = text + (got < 0 ? 0 : got), *place = end;
  while (place > text && place[-1] != ')') place--;
  if (place == text || end - place < 3) return 0;
  pid_t parent = 0;
  for (place += 3; place < end && *place >= '0' && *place <= '9'; place++) {
    parent = parent * 10 + (*place - '0');
  }
  return parent;
}

// Kills the children of this process or, beside one of them, only counts those that live.
static int visit_children(int marked, pid_t beside) {
  int folder = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) return 0;
  pid_t own = getpid();
  int found = 0;
  _Alignas(struct entry) char entries[4096];
  long got;
  while ((got = syscall(SYS_getdents64, folder, entries, sizeof entries)) > 0) {
    for (long place = 0; place < got;) {
      const struct entry *entry = (const struct entry *)(const void *)(entries + place);
      place += entry->length;
      pid_t process = number(entry->name);
      if (process <= 1 || parent_of(entry->name) != own || (marked && !is_marked(process))) continue;
      if (beside != 0) {
        found += process != beside && waitpid(process, NULL, WNOHANG) == 0;
        continue;
      }
      found++;
      kill(process, SIGKILL);
      waitpid(process, NULL, WNOHANG);
    }
  }
  close(folder);
  return found;
}

int forage_kill_children(int marked) { return visit_children(marked, 0); }

int forage_has_children_beside(pid_t process) { return visit_children(0, process) > 0; }
#endif
