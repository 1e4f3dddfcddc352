import { readFile } from 'node:fs/promises'

/** The same until the machine is started again; null where the system does not tell. */
export const readBootId = (): Promise<string | null> =>
  readFile('/proc/sys/kernel/random/boot_id', 'utf8').then(
    (text) => text.trim(),
    () => null,
  )
