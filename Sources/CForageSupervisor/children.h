#ifndef FORAGE_CHILDREN_H
#define FORAGE_CHILDREN_H

#if defined(__linux__)
#include <sys/types.h>

/// Marks this process and all that come from it as a supervised program's.
void forage_mark_process(void);

/// Kills the children of this process, and reaps those that are gone. It is safe behind `fork`.
///
/// With `marked` it leaves alone those that are not marked as a supervised program's. Returns the number of
/// children found.
int forage_kill_children(int marked);

/// Kills the processes of programs whose supervisor is gone, whoever started them. Returns the number found.
int forage_kill_orphans(void);

/// The name of a supervisor in lists of processes.
static const char forage_supervisor_name[] = "forage-plugin";

/// Whether this process has living children beside one. It is safe behind `fork`.
int forage_has_children_beside(pid_t process);
#endif

#endif
