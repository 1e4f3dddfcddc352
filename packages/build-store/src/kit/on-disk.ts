import { StorageUnavailable } from '@matchyard/core/ports'
import { errorCode, isDiskTrouble } from './disk-errors'

/** Runs `work`. Converts errors of the disk to StorageUnavailable, so that callers can respond with UNAVAILABLE. */
export async function onDisk<T>(what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!isDiskTrouble(error)) throw error
    throw new StorageUnavailable(`${what}: ${errorCode(error)}`, { cause: error })
  }
}
