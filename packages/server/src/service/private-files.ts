import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Makes a folder, and those above it, that its owner alone may enter; one that is there stays as it is. */
export function makePrivateFolder(directory: string): void {
  // Node's own recursion never returns where the parent is there and yet takes nothing, as in /proc.
  if (!existsSync(dirname(directory))) makePrivateFolder(dirname(directory))
  try {
    mkdirSync(directory, { mode: 0o700 })
  } catch (error) {
    const isThere = (error as NodeJS.ErrnoException).code === 'EEXIST' && statSync(directory).isDirectory()
    if (!isThere) throw error
  }
}

/** Readable by its owner alone, and in one step, so that a crash leaves the file as it was or as it is to be. */
export function writePrivately(file: string, text: string): void {
  const draft = `${file}.${process.pid}.tmp`
  writeFileSync(draft, text, { mode: 0o600 })
  renameSync(draft, file)
}

/** A random text that is drawn at the first call and read from the file at later ones. */
export function drawnOnce(file: string, bytes: number): string {
  if (!existsSync(file)) writePrivately(file, randomBytes(bytes).toString('hex'))
  return readFileSync(file, 'utf8').trim()
}

/** Names the installation whose data is in this folder: on a machine with several, game servers are told apart by it. */
export const installationIdOf = (dataDirectory: string): string => drawnOnce(join(dataDirectory, 'installation'), 8)
