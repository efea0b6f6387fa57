#ifndef FORAGE_CTESTTLS_SHIM_H
#define FORAGE_CTESTTLS_SHIM_H
#include <openssl/ssl.h>

/* Selects HTTP/1.1 if the client offers it with ALPN; otherwise the connection has no protocol. */
static inline int forage_tls_select(
    SSL *tls, const unsigned char **selected, unsigned char *length, const unsigned char *offered,
    unsigned int count, void *context) {
  static const unsigned char http[] = "\x08http/1.1";
  int status = SSL_select_next_proto((unsigned char **)selected, length, http, sizeof(http) - 1, offered, count);
  return status == OPENSSL_NPN_NEGOTIATED ? SSL_TLSEXT_ERR_OK : SSL_TLSEXT_ERR_NOACK;
}

#endif
