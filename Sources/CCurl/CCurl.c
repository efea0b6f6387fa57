#include "CCurl.h"

#include <dlfcn.h>
#include <stddef.h>

static forage_curl_functions curl;

const forage_curl_functions *forage_curl(void) { return &curl; }

bool forage_curl_open(const char *name) {
  void *library = dlopen(name, RTLD_LAZY | RTLD_LOCAL);
  if (library == NULL) return false;
  const struct { const char *name; size_t offset; } functions[] = {
#define FUNCTION(name) {"curl_" #name, offsetof(forage_curl_functions, name)}
    FUNCTION(global_init), FUNCTION(version_info), FUNCTION(easy_init), FUNCTION(easy_cleanup),
    FUNCTION(easy_setopt), FUNCTION(easy_getinfo), FUNCTION(easy_strerror), FUNCTION(slist_append),
    FUNCTION(slist_free_all), FUNCTION(multi_init), FUNCTION(multi_cleanup), FUNCTION(multi_add_handle),
    FUNCTION(multi_remove_handle), FUNCTION(multi_perform), FUNCTION(multi_info_read), FUNCTION(multi_poll),
    FUNCTION(multi_wakeup),
#undef FUNCTION
  };
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
    void *function = dlsym(library, functions[i].name);
    if (function == NULL) return false;
    *(void **)((char *)&curl + functions[i].offset) = function;
  }
  return curl.global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK;
}
