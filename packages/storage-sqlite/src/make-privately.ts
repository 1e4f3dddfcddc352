import { closeSync, openSync } from 'node:fs'

/**
 * Creates a missing file so that only its owner can read and write it: it holds password hashes. SQLite gives the files
 * beside it the same mode. An existing file keeps its mode, which an operator may have chosen.
 */
export function makePrivately(file: string): void {
  try {
    closeSync(openSync(file, 'ax', 0o600))
  } catch {
    // The file exists or cannot be created; in the second case, opening it reports the error.
  }
}
