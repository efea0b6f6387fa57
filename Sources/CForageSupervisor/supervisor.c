#if defined(__linux__)
#define _GNU_SOURCE
#endif

#include "children.h"
#include "supervisor.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#if defined(__linux__)
#include <sys/prctl.h>
#include <sys/syscall.h>
#endif

// Behind `fork` a process of several threads may call only what is safe in a signal handler (POSIX, "fork"),
// so this file allocates nothing and uses no stdio.

// Where the supervisor keeps its descriptors.
enum {
  slot_control = 0,
  slot_status = 1,
  slot_null = 2,
  slot_input = 3,
  slot_output = 4,
  slot_error = 5,
  slot_first_free = 6,
};

// The lowest number of a descriptor that is made here, so that none is overwritten when those of the
// supervisor take their places.
static const int lowest_made = 16;
// Descriptors that are closed one by one where the system cannot close a range: more than a program of ours
// has open.
static const int last_closed = 4096;
// How long descendants are looked for: a killed process is gone within milliseconds, unless it waits for a
// broken disk.
static const int sweeps = 1000;
// Nanoseconds between two looks.
static const long sweep_pause = 2000000;

static int wake_descriptor = -1;

static void wake(int signal) {
  (void)signal;
  int saved = errno;
  char byte = 0;
  ssize_t ignored = write(wake_descriptor, &byte, 1);
  (void)ignored;
  errno = saved;
}

static void close_from(int first) {
#if defined(__linux__) && defined(SYS_close_range)
  if (syscall(SYS_close_range, (unsigned)first, ~0U, 0) == 0) return;
#endif
  for (int descriptor = first; descriptor < last_closed; descriptor++) close(descriptor);
}

static void reset_signals(void (*disposition)(int)) {
  struct sigaction action = {0};
  action.sa_handler = disposition;
  sigemptyset(&action.sa_mask);
  // Some numbers are the system's own, which it refuses.
  for (int number = 1; number < NSIG; number++) sigaction(number, &action, NULL);
}

static void report(int event, int value) {
  struct forage_report report = {event, value};
  ssize_t ignored = write(slot_status, &report, sizeof report);
  (void)ignored;
}

// The program's process: everything is set up, then it becomes the program.
static void become(const char *path, char *const *argv, char *const *envp, const char *folder,
                   pid_t supervisor, int failure) {
  setpgid(0, 0);
#if defined(__linux__)
  forage_mark_process();
  // Should the supervisor be killed itself.
  prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
  if (getppid() != supervisor) _exit(127);
  dup2(slot_input, 0);
  dup2(slot_output, 1);
  dup2(slot_error, 2);
  dup2(failure, 3);
  fcntl(3, F_SETFD, FD_CLOEXEC);
  close_from(4);
  reset_signals(SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  struct forage_report report = {forage_no_folder, 0};
  if (chdir(folder) == 0) {
    execve(path, argv, envp);
    report.event = forage_not_started;
  }
  report.value = errno;
  ssize_t ignored = write(3, &report, sizeof report);
  (void)ignored;
  _exit(127);
}

// Ends the program with everything that comes from it, and the supervisor. The leader must not have been
// waited for: its number stands for the group until then.
static void finish(pid_t leader) {
  kill(-leader, SIGKILL);
  // A leader that has not yet made its group.
  kill(leader, SIGKILL);
  int status = 0;
  while (waitpid(leader, &status, 0) < 0 && errno == EINTR) {
  }
  report(forage_ended, status);
#if defined(__linux__)
  for (int sweep = 0; sweep < sweeps; sweep++) {
    pid_t gone;
    while ((gone = waitpid(-1, NULL, WNOHANG)) > 0) {
    }
    if (gone < 0 && errno == ECHILD) break;
    forage_kill_children(0);
    struct timespec pause = {0, sweep_pause};
    nanosleep(&pause, NULL);
  }
#endif
  _exit(0);
}

// Waits for orphans that have ended, and returns whether the leader has; the leader itself is left to be waited
// for.
static int has_ended(pid_t leader) {
  for (;;) {
    siginfo_t info = {0};
    if (waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid == 0) break;
    if (info.si_pid == leader) return 1;
    waitpid(info.si_pid, NULL, WNOHANG);
  }
  siginfo_t info = {0};
  return waitid(P_PID, (id_t)leader, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == leader;
}

extern char **environ;

// The variables of the caller may hold secrets, and lists of processes show those of the supervisor, too.
static void forget_environment(void) {
  for (char **entry = environ; entry != NULL && *entry != NULL; entry++) {
    for (volatile char *byte = *entry; *byte != 0; byte++) *byte = 0;
  }
}

static void supervise(const char *path, char *const *argv, char *const *envp, const char *folder) {
  forget_environment();
  int wakes[2], failures[2];
  if (pipe(wakes) != 0 || pipe(failures) != 0) {
    report(forage_not_started, errno);
    _exit(1);
  }
  for (int end = 0; end < 2; end++) fcntl(wakes[end], F_SETFL, O_NONBLOCK);
  wake_descriptor = wakes[1];
  // Ctrl-C is the caller's business, and so are all requests to end: only the end of `control` counts.
  reset_signals(SIG_IGN);
  struct sigaction action = {0};
  action.sa_handler = wake;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  sigaction(SIGCHLD, &action, NULL);
#if defined(__linux__)
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  // What lists of processes show.
  prctl(PR_SET_NAME, forage_supervisor_name);
#endif
  pid_t supervisor = getpid();
  pid_t leader = fork();
  if (leader == 0) become(path, argv, envp, folder, supervisor, failures[1]);
  if (leader < 0) {
    report(forage_not_started, errno);
    _exit(1);
  }
  setpgid(leader, leader);
  for (int slot = slot_input; slot <= slot_error; slot++) close(slot);
  close(failures[1]);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);

  struct forage_report failure;
  ssize_t got;
  while ((got = read(failures[0], &failure, sizeof failure)) < 0 && errno == EINTR) {
  }
  close(failures[0]);
  if (got == (ssize_t)sizeof failure) {
    while (waitpid(leader, NULL, 0) < 0 && errno == EINTR) {
    }
    report(failure.event, failure.value);
    _exit(1);
  }
  report(forage_started, leader);

  int observes = 0;
  for (;;) {
    struct pollfd polled[2] = {{slot_control, POLLIN, 0}, {wakes[0], POLLIN, 0}};
    if (poll(polled, 2, -1) < 0 && errno != EINTR) finish(leader);
    char bytes[16];
    while (read(wakes[0], bytes, sizeof bytes) > 0) {
    }
    if (has_ended(leader)) {
#if defined(__linux__)
      if (observes && forage_has_children_beside(leader)) report(forage_left_children, 0);
#endif
      finish(leader);
    }
    if (polled[0].revents != 0) {
      ssize_t count = read(slot_control, bytes, sizeof bytes);
      if (count == 0 || (count < 0 && errno != EINTR && errno != EAGAIN)) finish(leader);
      for (ssize_t place = 0; place < count; place++) {
        if (bytes[place] == (char)forage_kill) finish(leader);
        if (bytes[place] == (char)forage_observe) observes = 1;
        if (bytes[place] == (char)forage_terminate) kill(-leader, SIGTERM);
      }
    }
  }
}

// Makes a pipe whose ends no child inherits and that is out of the way of the standard descriptors.
static int make_pipe(int ends[2]) {
  int made[2];
#if defined(__linux__)
  if (pipe2(made, O_CLOEXEC) != 0) return errno;
#else
  if (pipe(made) != 0) return errno;
#endif
  int failure = 0;
  for (int end = 0; end < 2; end++) {
    ends[end] = fcntl(made[end], F_DUPFD_CLOEXEC, lowest_made);
    if (ends[end] < 0) failure = errno;
    close(made[end]);
  }
  if (failure != 0) {
    for (int end = 0; end < 2; end++) {
      if (ends[end] >= 0) close(ends[end]);
      ends[end] = -1;
    }
  }
  return failure;
}

int forage_supervise(const char *path, char *const *argv, char *const *envp, const char *folder,
                     struct forage_supervised *result) {
  enum { input, output, error, control, status, pipe_count };
  int pipes[pipe_count][2];
  for (int each = 0; each < pipe_count; each++) pipes[each][0] = pipes[each][1] = -1;
  int failure = 0;
  for (int each = 0; each < pipe_count && failure == 0; each++) failure = make_pipe(pipes[each]);

  pid_t supervisor = -1;
  if (failure == 0) {
#if defined(__linux__)
    // Should the supervisor be killed, the caller inherits what comes from the program.
    prctl(PR_SET_CHILD_SUBREAPER, 1);
#endif
    // No handler of the caller may run in the new process.
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    supervisor = fork();
    if (supervisor == 0) {
      setpgid(0, 0);
      dup2(pipes[control][0], slot_control);
      dup2(pipes[status][1], slot_status);
      dup2(pipes[input][0], slot_input);
      dup2(pipes[output][1], slot_output);
      dup2(pipes[error][1], slot_error);
      int null = open("/dev/null", O_RDWR);
      if (null >= 0) dup2(null, slot_null);
      close_from(slot_first_free);
      supervise(path, argv, envp, folder);
      _exit(1);
    }
    if (supervisor < 0) failure = errno;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
  }
  // The ends of the other side.
  int theirs[pipe_count] = {pipes[input][0], pipes[output][1], pipes[error][1], pipes[control][0],
                            pipes[status][1]};
  int ours[pipe_count] = {pipes[input][1], pipes[output][0], pipes[error][0], pipes[control][1],
                          pipes[status][0]};
  for (int each = 0; each < pipe_count; each++) {
    if (theirs[each] >= 0) close(theirs[each]);
    if (failure != 0 && ours[each] >= 0) close(ours[each]);
    if (failure == 0) fcntl(ours[each], F_SETFL, fcntl(ours[each], F_GETFL) | O_NONBLOCK);
  }
  if (failure != 0) return failure;
  *result = (struct forage_supervised){supervisor,  ours[input],   ours[output],
                                       ours[error], ours[control], ours[status]};
  return 0;
}

int forage_end_inherited(void) {
#if defined(__linux__)
  return forage_kill_children(1);
#else
  return 0;
#endif
}

int forage_end_orphans(void) {
#if defined(__linux__)
  return forage_kill_orphans();
#else
  return 0;
#endif
}

int forage_pipe(int ends[2]) {
  int failure = make_pipe(ends);
  for (int end = 0; end < 2 && failure == 0; end++) fcntl(ends[end], F_SETFL, O_NONBLOCK);
  return failure;
}

int forage_status_signal(int status) { return WIFSIGNALED(status) ? WTERMSIG(status) : 0; }

int forage_status_exit(int status) { return WIFEXITED(status) ? WEXITSTATUS(status) : 0; }
