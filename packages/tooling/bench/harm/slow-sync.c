#define _GNU_SOURCE
#include <dlfcn.h>
#include <unistd.h>

/* Imitates a disk whose every sync takes 20 ms. Loaded into a process with LD_PRELOAD. */
static void wait_for_the_disk(void) { usleep(20 * 1000); }

int fsync(int file) {
  static int (*real)(int);
  if (!real) real = (int (*)(int))dlsym(RTLD_NEXT, "fsync");
  wait_for_the_disk();
  return real(file);
}

int fdatasync(int file) {
  static int (*real)(int);
  if (!real) real = (int (*)(int))dlsym(RTLD_NEXT, "fdatasync");
  wait_for_the_disk();
  return real(file);
}
