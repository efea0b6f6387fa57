#ifndef FORAGE_SUPERVISOR_H
#define FORAGE_SUPERVISOR_H

#include <stdint.h>
#include <sys/types.h>

/// A supervised program: its process and the caller's ends of its pipes, all of them closed on exec.
///
/// `input`, `output`, `error` and `status` do not block.
struct forage_supervised {
  /// The supervisor, a child of the caller, which has to wait for it once `status` has ended.
  pid_t supervisor;
  /// Where the program's standard input is written.
  int input;
  /// Where its standard output is read.
  int output;
  /// Where its standard error is read.
  int error;
  /// The commands for the supervisor, a byte each: `forage_terminate` or `forage_kill`. Its end,
  /// also that of a caller that was killed, does what `forage_kill` does.
  int control;
  /// The events that the supervisor reports, as `struct forage_report`. Its end says that everything is
  /// gone.
  int status;
};

/// The events of a supervisor.
struct forage_report {
  /// One of `enum forage_event`.
  int32_t event;
  /// What belongs to it.
  int32_t value;
};

enum forage_event {
  /// The program runs; the value is its process, which leads a group of its own.
  forage_started = 1,
  /// Its folder could not be entered; the value is the error's number.
  forage_no_folder = 2,
  /// It could not be started; the value is the error's number.
  forage_not_started = 3,
  /// It has ended; the value is its status as of `waitpid`.
  forage_ended = 4,
  /// It has ended by itself before processes that come from it; sent before `forage_ended`, on Linux only, and
  /// only after `forage_observe`.
  forage_left_children = 5,
};

/// Sends SIGTERM to the program's group.
static const uint8_t forage_terminate = 'T';
/// Asks for `forage_left_children`.
static const uint8_t forage_observe = 'O';
/// Sends SIGKILL to the program's group and to everything that comes from it.
static const uint8_t forage_kill = 'K';

/// Starts a program under a supervisor, a process of its own that sees to it that nothing of the program
/// outlives it or the caller.
///
/// The program gets its three pipes, the given environment and no other descriptor, leads a process group,
/// and starts in the folder with every signal at its default. When it ends, its group is killed; on Linux so
/// is whatever has left the group, because orphans become the supervisor's children.
///
/// On Linux the caller becomes a subreaper: should the program kill the supervisor, the caller inherits what
/// has left the group, and ends it with `forage_end_inherited`.
///
/// If the program kills the supervisor and the caller, its first process is killed with the supervisor; the
/// others run until `forage_end_orphans` is called in another process.
///
/// What stays possible: work that the program hands to a service of the system, and processes of another user;
/// elsewhere than on Linux any process that has left the group. There is no sandbox.
///
/// Returns 0, or the number of the error that kept the supervisor from being started.
int forage_supervise(const char *_Nonnull path, char *_Nullable const *_Nonnull argv,
                     char *_Nullable const *_Nonnull envp, const char *_Nonnull folder,
                     struct forage_supervised *_Nonnull result);

/// Kills and reaps the processes of programs that a killed supervisor has left to the caller; children that
/// the caller has started itself are left alone. Processes that these have started become children of the
/// caller in turn, so it has to be called until there are none. On Linux only.
///
/// Returns the number of processes found.
int forage_end_inherited(void);

/// Kills the processes of programs whose supervisor and caller have been killed, whoever the caller was. The
/// programs of other callers that run are left alone. On Linux 5.3 or later only.
///
/// Returns the number of processes found.
int forage_end_orphans(void);

/// Makes a pipe that no child inherits and whose ends, reading first, do not block. Returns 0, or the number
/// of the error.
int forage_pipe(int ends[_Nonnull 2]);

/// Exchanges what two paths name, in one step, so that both always name something. Returns 0, or the number
/// of the error: `ENOTSUP` where the system or the file system cannot do that.
int forage_exchange(const char *_Nonnull first, const char *_Nonnull second);

/// The number of the signal in a status of `waitpid`, otherwise 0.
int forage_status_signal(int status);

/// The exit status in a status of `waitpid`.
int forage_status_exit(int status);

#endif
