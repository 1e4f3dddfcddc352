import { constants } from 'node:fs'
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { hasCode, isMachineTrouble, isMissing } from './system-errors'

/**
 * The most bytes of a small file. All state files of an adapter are far smaller, so a larger file counts as damaged.
 */
export const SMALL_FILE_BYTES = 256 * 1024

/**
 * Returns the text of a small file; undefined when the file does not exist; `damaged` when the file is too large, not a
 * regular file, or unreadable. Rejects only when the machine cannot read any file now (out of file handles, out of
 * memory).
 */
export async function readSmall(path: string): Promise<string | 'damaged' | undefined> {
  let handle: FileHandle | undefined
  try {
    // The file is opened in non-blocking mode: if a pipe is in its place, opening it would otherwise block a thread
    // until a process writes to the pipe.
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

/** Returns the first `bytes` of a regular file; undefined when the path is missing or not a regular file. */
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

/** Writes a file and syncs it: the content is on the disk when the promise resolves. */
export async function writeSynced(path: string, text: string): Promise<void> {
  const handle = await open(path, 'w', 0o600)
  try {
    await handle.writeFile(text)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Moves a file or folder to its final path, and replaces any file or folder at that path. */
export async function putInPlace(draft: string, path: string): Promise<void> {
  try {
    await rename(draft, path)
  } catch (error) {
    if (!hasCode(error, 'EISDIR', 'ENOTDIR', 'ENOTEMPTY', 'EEXIST')) throw error
    await rm(path, { recursive: true, force: true })
    await rename(draft, path)
  }
}

/**
 * Syncs the folder of a file, so that creating or moving the file survives a power cut. Does nothing when the folder
 * cannot be opened.
 */
export async function syncFolderOf(path: string): Promise<void> {
  const handle = await open(dirname(path), 'r').catch(() => undefined)
  await handle?.sync().catch(() => {})
  await handle?.close()
}

/** Makes a folder that only the user of the service can read. */
export const makePrivate = (folder: string): Promise<string | undefined> =>
  mkdir(folder, { recursive: true, mode: 0o700 })

/** Returns the names in a folder; no names when the folder does not exist. */
export async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if (isMissing(error)) return []
    throw error
  }
}

/** Returns the time of the last change in milliseconds since 1970; 0 when the path does not exist. */
export const modifiedAt = (path: string): Promise<number> =>
  stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  )
