#include "forage_build.h"

// In C, because a Swift module cannot be given a text; here it costs the compilation of this file alone.
const char *forage_build_commit(void) { return FORAGE_COMMIT; }
