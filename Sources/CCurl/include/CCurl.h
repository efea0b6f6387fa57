#ifndef FORAGE_CCURL_H
#define FORAGE_CCURL_H

// The functions and the types of the header alone: the library is opened at run time, whichever version it is.
#define CURL_DISABLE_DEPRECATION 1
#define CURL_DISABLE_TYPECHECK 1
#include <curl/curl.h>
#include <stdbool.h>

// What headers before 7.87, 7.73 and 8.6 lack.
static const CURLoption forage_curl_quick_exit = (CURLoption)322;
static const CURLcode forage_curl_proxy_failed = (CURLcode)97;
static const CURLcode forage_curl_too_large = (CURLcode)100;

/// libcurl's functions, as far as they are used.
typedef struct __attribute__((swift_attr("@Sendable"))) {
  CURLcode (*_Nonnull global_init)(long flags);
  curl_version_info_data *_Nonnull (*_Nonnull version_info)(CURLversion age);
  CURL *_Nullable (*_Nonnull easy_init)(void);
  void (*_Nonnull easy_cleanup)(CURL *_Nonnull handle);
  CURLcode (*_Nonnull easy_setopt)(CURL *_Nonnull handle, CURLoption option, ...);
  CURLcode (*_Nonnull easy_getinfo)(CURL *_Nonnull handle, CURLINFO info, ...);
  const char *_Nonnull (*_Nonnull easy_strerror)(CURLcode code);
  struct curl_slist *_Nullable (*_Nonnull slist_append)(struct curl_slist *_Nullable list, const char *_Nonnull text);
  void (*_Nonnull slist_free_all)(struct curl_slist *_Nullable list);
  CURLM *_Nullable (*_Nonnull multi_init)(void);
  CURLMcode (*_Nonnull multi_cleanup)(CURLM *_Nonnull multi);
  CURLMcode (*_Nonnull multi_add_handle)(CURLM *_Nonnull multi, CURL *_Nonnull handle);
  CURLMcode (*_Nonnull multi_remove_handle)(CURLM *_Nonnull multi, CURL *_Nonnull handle);
  CURLMcode (*_Nonnull multi_perform)(CURLM *_Nonnull multi, int *_Nonnull running);
  CURLMsg *_Nullable (*_Nonnull multi_info_read)(CURLM *_Nonnull multi, int *_Nonnull left);
  CURLMcode (*_Nonnull multi_poll)(
    CURLM *_Nonnull multi, struct curl_waitfd *_Nullable extra, unsigned int extra_count, int milliseconds,
    int *_Nullable ready);
  CURLMcode (*_Nonnull multi_wakeup)(CURLM *_Nonnull multi);
} forage_curl_functions;

/// Opens libcurl and prepares it, to be called by one thread.
///
/// @param name What to open, for example `libcurl.so.4`.
/// @return Whether there is such a library that is not older than 7.68 (January 2020), which lacks functions.
bool forage_curl_open(const char *_Nonnull name);

/// The functions, after the library was opened.
const forage_curl_functions *_Nonnull forage_curl(void);

/// Receives a part of a head or of a body; returns `count`, or another number to end the transfer.
typedef size_t (*forage_curl_receive)(
  char *_Nullable bytes, size_t size, size_t count, void *_Nullable context);

static inline CURLcode forage_curl_set_text(
  CURL *_Nonnull handle, CURLoption option, const char *_Nullable value) {
  return forage_curl()->easy_setopt(handle, option, value);
}

static inline CURLcode forage_curl_set_number(
  CURL *_Nonnull handle, CURLoption option, long value) {
  return forage_curl()->easy_setopt(handle, option, value);
}

/// For the options whose names end with `_LARGE`.
static inline CURLcode forage_curl_set_size(
  CURL *_Nonnull handle, CURLoption option, curl_off_t value) {
  return forage_curl()->easy_setopt(handle, option, value);
}

static inline CURLcode forage_curl_set_pointer(
  CURL *_Nonnull handle, CURLoption option, const void *_Nullable value) {
  return forage_curl()->easy_setopt(handle, option, value);
}

static inline CURLcode forage_curl_set_list(
  CURL *_Nonnull handle, CURLoption option, struct curl_slist *_Nullable value) {
  return forage_curl()->easy_setopt(handle, option, value);
}

static inline CURLcode forage_curl_set_receiver(
  CURL *_Nonnull handle, CURLoption option, forage_curl_receive _Nonnull value) {
  return forage_curl()->easy_setopt(handle, option, value);
}

/// The value of an information that is a `long`; 0 where the library does not know it.
static inline long forage_curl_number(
  CURL *_Nonnull handle, CURLINFO info) {
  long value = 0;
  return forage_curl()->easy_getinfo(handle, info, &value) == CURLE_OK ? value : 0;
}

/// The value of an information whose name ends with `_T`; 0 where the library does not know it.
static inline curl_off_t forage_curl_size(
  CURL *_Nonnull handle, CURLINFO info) {
  curl_off_t value = 0;
  return forage_curl()->easy_getinfo(handle, info, &value) == CURLE_OK ? value : 0;
}

#endif
