#if defined(__linux__)
#define _GNU_SOURCE
#endif

#include "children.h"

#if defined(__linux__)
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

// The mark of a program's processes is a limit of their own on file locks. It passes to every child, through
// `execve` too, only a privileged process can raise it again, and since Linux 2.4.25 it limits nothing.
static const rlim_t marked_locks = 1 << 30;

// A program may itself be a host of programs, whose mark is one less, but not deeper than this.
static const rlim_t deepest = 16;

// The mark of the programs of this process; 0 if it is unknown.
static rlim_t mark_of_programs(void) {
  struct rlimit own;
  if (getrlimit(RLIMIT_LOCKS, &own) != 0) return 0;
  return own.rlim_max > marked_locks || own.rlim_max == 0 ? marked_locks : own.rlim_max - 1;
}

void forage_mark_process(void) {
  rlim_t mark = mark_of_programs();
  struct rlimit limit = {mark, mark};
  if (mark != 0) setrlimit(RLIMIT_LOCKS, &limit);
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

// Reads the beginning of /proc/PID/stat or another file beside it. Returns the number of bytes, 0 if the
// process is gone.
static ssize_t read_file(pid_t process, const char *name, char *text, size_t size) {
  char digits[12], path[path_size] = "/proc/";
  int count = 0, length = 6;
  for (; process > 0; process /= 10) digits[count++] = (char)('0' + process % 10);
  while (count > 0) path[length++] = digits[--count];
  while (*name != 0) path[length++] = *name++;
  path[length] = 0;
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  ssize_t got = read(file, text, size);
  close(file);
  return got < 0 ? 0 : got;
}

// The parent of a process; 0 if the process is gone.
static pid_t parent_of(pid_t process) {
  char text[512];
  // "PID (NAME) STATE PARENT": the name may contain anything, and the last ")" ends it.
  const char *end = text + read_file(process, "/stat", text, sizeof text), *place = end;
  while (place > text && place[-1] != ')') place--;
  if (place == text || end - place < 3) return 0;
  pid_t parent = 0;
  for (place += 3; place < end && *place >= '0' && *place <= '9'; place++) {
    parent = parent * 10 + (*place - '0');
  }
  return parent;
}

// Calls a function for every process, and returns how often it returned another number than 0.
static int visit_processes(int (*visit)(pid_t process, pid_t argument), pid_t argument) {
  int folder = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) return 0;
  int found = 0;
  _Alignas(struct entry) char entries[4096];
  long got;
  while ((got = syscall(SYS_getdents64, folder, entries, sizeof entries)) > 0) {
    for (long place = 0; place < got;) {
      const struct entry *entry = (const struct entry *)(const void *)(entries + place);
      place += entry->length;
      pid_t process = number(entry->name);
      if (process > 1) found += visit(process, argument) != 0;
    }
  }
  close(folder);
  return found;
}

// Kills a child of this process.
static int kill_child(pid_t process, pid_t marked) {
  if (parent_of(process) != getpid() || (marked && !is_marked(process))) return 0;
  kill(process, SIGKILL);
  waitpid(process, NULL, WNOHANG);
  return 1;
}

static int lives_beside(pid_t process, pid_t other) {
  return process != other && parent_of(process) == getpid() && waitpid(process, NULL, WNOHANG) == 0;
}

int forage_kill_children(int marked) { return visit_processes(kill_child, marked); }

int forage_has_children_beside(pid_t process) { return visit_processes(lives_beside, process) > 0; }

static int has_mark(pid_t process, rlim_t mark) {
  struct rlimit limit;
  return prlimit(process, RLIMIT_LOCKS, NULL, &limit) == 0 && limit.rlim_max <= mark &&
         limit.rlim_max + deepest > mark;
}

// Kills a process that comes from a program whose supervisor is gone: then its nearest ancestor without a mark
// is another process, such as init.
static int kill_orphan(pid_t process, pid_t ignored) {
  (void)ignored;
  rlim_t mark = mark_of_programs();
  if (mark == 0 || !has_mark(process, mark)) return 0;
#if defined(SYS_pidfd_open) && defined(SYS_pidfd_send_signal)
  // Opened before the look at its ancestors, so that another process that gets its number is not killed.
  int handle = (int)syscall(SYS_pidfd_open, process, 0);
  if (handle < 0) return 0;
  pid_t ancestor = parent_of(process);
  while (ancestor > 1 && has_mark(ancestor, mark)) ancestor = parent_of(ancestor);
  char name[sizeof forage_supervisor_name];
  ssize_t length = ancestor > 0 ? read_file(ancestor, "/comm", name, sizeof name) : 0;
  // The system ends the name with a line end.
  int is_orphan = length > 0 && (length != (ssize_t)sizeof name ||
                                 memcmp(name, forage_supervisor_name, sizeof name - 1) != 0);
  if (is_orphan) syscall(SYS_pidfd_send_signal, handle, SIGKILL, NULL, 0);
  close(handle);
  return is_orphan;
#else
  return 0;
#endif
}

int forage_kill_orphans(void) { return visit_processes(kill_orphan, 0); }
#endif
