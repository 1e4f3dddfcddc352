/*
 * Put before the service by the soak alone: a thread that has malloc give back, every other second, the pages on which nothing lies.
 * glibc gives back by itself only what is free at the end of its heap.
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
  /* What the service starts is left alone. */
  unsetenv("LD_PRELOAD");
  if (pthread_create(&thread, NULL, give_back, NULL) == 0) pthread_detach(thread);
}
