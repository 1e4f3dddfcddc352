import { readFileSync, rmSync } from 'node:fs'

/**
 * Returns the path of the note of a database file. The note is a small file that says how much of the log the last sync
 * made durable. The note is written after each sync and is never synced itself. After a power cut the note may name
 * fewer pages than were synced, but never more. A log with fewer pages than the note has lost acknowledged commits.
 */
export const noteOf = (file: string): string => `${file}-synced`

/** Part of a log that was synced. */
export interface SyncedLog {
  /** Salts of the log's header, in hexadecimal digits. */
  readonly salts: string
  readonly frames: number
}

/**
 * Number of digits in which the number of frames is written. All notes therefore have the same length, and a new note
 * overwrites the whole old one.
 */
export const NOTE_DIGITS = 12
const NOTE = /^([0-9a-f]{16}) (\d{12})\n$/

/** Returns the note of a file; undefined when the note is missing, unreadable or malformed. */
export function readNote(file: string): SyncedLog | undefined {
  try {
    const [, salts, frames] = NOTE.exec(readFileSync(noteOf(file), 'latin1')) ?? []
    return salts === undefined ? undefined : { salts, frames: Number(frames) }
  } catch {
    return undefined
  }
}

/** Removes the note of a file. */
export const dropNote = (file: string): void => rmSync(noteOf(file), { force: true })
