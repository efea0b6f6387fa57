#ifndef FORAGE_CZLIB_SHIM_H
#define FORAGE_CZLIB_SHIM_H

#include <zlib.h>

/// Prepares to decompress data in the format of gzip or zlib, which its beginning tells.
static inline int forage_inflate_start(z_stream *_Nonnull stream) {
  return inflateInit2(stream, 32 + MAX_WBITS);
}

#endif
