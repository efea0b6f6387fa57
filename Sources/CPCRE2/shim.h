#ifndef FORAGE_CPCRE2_SHIM_H
#define FORAGE_CPCRE2_SHIM_H

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

/// A compiled expression with the settings of its matches.
///
/// Swift may share it between threads: PCRE2 only reads both while it matches, once they are complete (pcre2api, "Multithreading").
struct __attribute__((swift_attr("@Sendable"))) forage_pattern {
  pcre2_code_8 *_Nonnull code;
  pcre2_match_context_8 *_Nullable context;
};

#endif
