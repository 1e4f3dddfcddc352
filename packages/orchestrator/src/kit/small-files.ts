import { constants } from 'node:fs'
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { hasCode, isMachineTrouble, isMissing } from './system-errors'

/** No file by which an adapter speaks with what it started, or with its next life, comes near it; what is larger is no such file. */
export const SMALL_FILE_BYTES = 256 * 1024

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

/** The first `bytes` of a regular file; undefined when it is not there, or is something else. */
export async function readHead(path: string, bytes: number): Promise<Buffer | undefined> {
  const found = await stat(path).catch(() => undefined)
  if (found?.isFile() !== true) return undefined
  const handle = await open(path, 'r')
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(bytes), 0, bytes, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await handle.close()
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

/** Makes a folder that only the service's own user may look into. */
export const makePrivate = (folder: string): Promise<string | undefined> =>
  mkdir(folder, { recursive: true, mode: 0o700 })

/** The names in a folder; none when there is no such folder. */
export async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if (isMissing(error)) return []
    throw error
  }
}

/** In epoch milliseconds, by the clock of the disk; 0 where nothing is. */
export const modifiedAt = (path: string): Promise<number> =>
  stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  )
