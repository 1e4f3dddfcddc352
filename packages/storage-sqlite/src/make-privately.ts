import { closeSync, openSync } from 'node:fs'

/**
 * Creates a missing file with a mode that lets only its owner read and write, because the file contains password
 * hashes. SQLite gives the files beside it the same mode. An existing file keeps its mode, which an operator may have
 * chosen.
 */
export function makePrivately(file: string): void {
  try {
    closeSync(openSync(file, 'ax', 0o600))
  } catch {
    // The file exists already, or it cannot be created. In the second case, opening the file reports the error.
  }
}
