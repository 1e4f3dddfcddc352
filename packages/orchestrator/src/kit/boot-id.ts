import { readFile } from 'node:fs/promises'

/** Returns an id that changes with each boot of the machine; null when the system has no such id. */
export const readBootId = (): Promise<string | null> =>
  readFile('/proc/sys/kernel/random/boot_id', 'utf8').then(
    (text) => text.trim(),
    () => null,
  )
