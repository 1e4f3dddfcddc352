import { constants } from 'node:fs'
import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'

/** No file by which the service and a supervisor speak comes near it; what is larger is no such file. */
export const SMALL_FILE_BYTES = 256 * 1024

/** Says nothing about the file that was asked for: the whole machine, or this process, is out of something. */
const MACHINE_TROUBLE = ['EMFILE', 'ENFILE', 'ENOMEM', 'EAGAIN', 'EINTR']

export const hasCode = (error: unknown, ...codes: string[]): boolean =>
  error instanceof Error && 'code' in error && codes.includes(String(error.code))

export const isMissing = (error: unknown): boolean => hasCode(error, 'ENOENT', 'ENOTDIR')

export const isMachineTrouble = (error: unknown): boolean => hasCode(error, ...MACHINE_TROUBLE)

/**
 * The text of a small file; undefined when it is not there; `damaged` when something else is, or it cannot be read.
 * Throws only where nothing could be read at all (out of file handles, out of memory).
 */
export async function readSmall(path: string): Promise<string | 'damaged' | undefined> {
  let handle: FileHandle | undefined
  try {
    // Without waiting: a pipe in the file's place would hold a thread until somebody writes to it.
    handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK)
    const found = await handle.stat()
    if (!found.isFile() || found.size > SMALL_FILE_BYTES) return 'damaged'
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(found.size), 0, found.size, 0)
    return buffer.toString('utf8', 0, bytesRead)
  } catch (error) {
    if (isMachineTrouble(error)) throw error
    return isMissing(error) ? undefined : 'damaged'
  } finally {
    await handle?.close()
  }
}

/** Writes a file that is on the disk when this returns; a power cut leaves it whole, or as it was before. */
export async function writeSynced(path: string, text: string): Promise<void> {
  const handle = await open(path, 'w', 0o600)
  try {
    await handle.writeFile(text)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Moves what was written to its place, whatever stands there. */
export async function putInPlace(draft: string, path: string): Promise<void> {
  try {
    await rename(draft, path)
  } catch (error) {
    if (!hasCode(error, 'EISDIR', 'ENOTDIR', 'ENOTEMPTY', 'EEXIST')) throw error
    await rm(path, { recursive: true, force: true })
    await rename(draft, path)
  }
}

/** That a file of this folder was made or moved survives a power cut. Where a folder cannot be opened, the system sees to it. */
export async function syncFolderOf(path: string): Promise<void> {
  const handle = await open(dirname(path), 'r').catch(() => undefined)
  await handle?.sync().catch(() => {})
  await handle?.close()
}
