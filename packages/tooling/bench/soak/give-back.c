/*
 * Loaded into the service with LD_PRELOAD, only in the soak: a thread that makes malloc return its free pages every two seconds.
 * glibc by itself returns only free memory at the end of its heap.
 */
#include <malloc.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static void *give_back(void *nothing) {
  for (;;) {
    sleep(2);
    malloc_trim(0);
  }
  return nothing;
}

__attribute__((constructor)) static void begin(void) {
  pthread_t thread;
  /* Child processes of the service must not load this library. */
  unsetenv("LD_PRELOAD");
  if (pthread_create(&thread, NULL, give_back, NULL) == 0) pthread_detach(thread);
}
