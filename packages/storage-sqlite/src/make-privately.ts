import { closeSync, openSync } from 'node:fs'

/**
 * A new file is its owner's alone, wherever it lies: it holds password hashes. SQLite gives what it puts beside it the same mode. One
 * that is there keeps the mode that somebody may have chosen for it.
 */
export function makePrivately(file: string): void {
  try {
    closeSync(openSync(file, 'ax', 0o600))
  } catch {
    // It is there, or cannot be made: then opening it says why.
  }
}
