import { StorageUnavailable } from '@matchyard/core'

// The machine's trouble, not the archive's: full, over quota, read-only, broken, out of handles, not permitted.
const DISK_TROUBLE = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EIO', 'EMFILE', 'ENFILE', 'ENOMEM', 'EACCES', 'EPERM'])

export const errorCode = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined

export const isDiskTrouble = (error: unknown): boolean => DISK_TROUBLE.has(errorCode(error) ?? '')

/** Runs `work`; what the disk refuses becomes StorageUnavailable, so that callers can answer UNAVAILABLE. */
export async function onDisk<T>(what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!isDiskTrouble(error)) throw error
    throw new StorageUnavailable(`${what}: ${errorCode(error)}`, { cause: error })
  }
}
