#pragma once

/// The commit of the sources, for example `1a2b3c4d5e6f` or `1a2b3c4d5e6f-dirty`; empty where the build did not name it.
const char *_Nonnull forage_build_commit(void);
