import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ConfigurationError } from '../config/configuration-error'

/**
 * Creates a folder, and missing parent folders, that only their owner can access. An existing folder is not changed.
 */
export function makePrivateFolder(directory: string): void {
  // Node's own recursive mode never returns when the parent folder exists but no folder can be created in it, as in
  // /proc.
  if (!existsSync(dirname(directory))) makePrivateFolder(dirname(directory))
  try {
    mkdirSync(directory, { mode: 0o700 })
  } catch (error) {
    const isThere = (error as NodeJS.ErrnoException).code === 'EEXIST' && statSync(directory).isDirectory()
    if (!isThere) throw error
  }
}

/**
 * Writes a file that only its owner can read, in one atomic step: after a crash, the file has either its old content or
 * its new content.
 */
export function writePrivately(file: string, text: string): void {
  const draft = `${file}.${process.pid}.tmp`
  try {
    writeFileSync(draft, text, { mode: 0o600 })
    renameSync(draft, file)
  } catch (error) {
    // If the disk is full, the incomplete draft is removed.
    rmSync(draft, { force: true })
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
    throw new ConfigurationError(`${file} cannot be written: the disk is full; free some space, and start again`)
  }
}

/**
 * Returns a random text. The first call creates the text and stores it in the file; later calls read the file. `bytes`
 * is the number of random bytes.
 */
export function drawnOnce(file: string, bytes: number): string {
  if (!existsSync(file)) writePrivately(file, randomBytes(bytes).toString('hex'))
  const text = readText(file)
  if (text === '') {
    throw new ConfigurationError(
      `${file} is empty; put it back from a backup, or remove it: then a new one is generated, and everything that the old one signed is invalid`,
    )
  }
  return text
}

/** Returns the trimmed text of a small file. Throws ConfigurationError when the file is not readable text. */
function readText(file: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file)).trim()
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    throw new ConfigurationError(`${file} ${UNREADABLE[code] ?? `cannot be read (${code})`}`)
  }
}

const UNREADABLE: Readonly<Record<string, string>> = {
  EISDIR: 'is a folder where a file is expected; move it away',
  EACCES: 'cannot be read; change its owner to the user that runs the service',
  ERR_ENCODING_INVALID_ENCODED_DATA:
    'is damaged: it is no text; put it back from a backup, or remove it and a new one is drawn',
}

/**
 * Returns the id of the installation that uses this data folder. On a machine with several installations, the id shows
 * to which installation a game server belongs.
 */
export function installationIdOf(dataDirectory: string): string {
  const file = join(dataDirectory, 'installation')
  const id = drawnOnce(file, 8)
  // The id becomes part of the names of nodes, containers and folders.
  if (/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(id)) return id
  throw new ConfigurationError(`${file} is damaged: it holds no name; put it back from a backup, or remove it`)
}
