import { readFileSync, rmSync } from 'node:fs'

/**
 * Beside a file lies a note of how far its log was synced the last time. It is written after each sync, and never synced itself: after a
 * power cut it may say less than the log holds, and never more. A log that holds less has lost what somebody was told.
 */
export const noteOf = (file: string): string => `${file}-synced`

/** Part of a log that was synced. */
export interface SyncedLog {
  /** Salts of the log's header, in hexadecimal digits. */
  readonly salts: string
  readonly frames: number
}

/** Digits of the number of frames: a note is always of the same length, and is written in one piece. */
export const NOTE_DIGITS = 12
const NOTE = /^([0-9a-f]{16}) (\d{12})\n$/

/** Returns the note of a file; undefined when the note is missing or incomplete. */
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
