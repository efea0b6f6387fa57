#ifndef FORAGE_CTESTTLS_SHIM_H
#define FORAGE_CTESTTLS_SHIM_H
#include <openssl/ssl.h>

/* Selects a protocol that the client offers with ALPN: HTTP/2 if there is a context, else HTTP/1.1. Otherwise the
   connection has no protocol. */
static inline int forage_tls_select(
    SSL *tls, const unsigned char **selected, unsigned char *length, const unsigned char *offered,
    unsigned int count, void *context) {
  static const unsigned char http1[] = "\x08http/1.1", http2[] = "\x02h2";
  int status = SSL_select_next_proto(
      (unsigned char **)selected, length, context ? http2 : http1,
      context ? sizeof(http2) - 1 : sizeof(http1) - 1, offered, count);
  return status == OPENSSL_NPN_NEGOTIATED ? SSL_TLSEXT_ERR_OK : SSL_TLSEXT_ERR_NOACK;
}

#endif
