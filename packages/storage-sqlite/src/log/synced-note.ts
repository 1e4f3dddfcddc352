import { readFileSync, rmSync } from 'node:fs'

/**
 * Beside a file lies a note of how far its log was synced the last time. It is written after each sync, and never synced itself: after a
 * power cut it may say less than the log holds, and never more. A log that holds less has lost what somebody was told.
 */
export const noteOf = (file: string): string => `${file}-synced`

/** How much of a log was synced. */
export interface SyncedLog {
  /** The salts of its header, as hex. */
  readonly salts: string
  readonly frames: number
}

/** Digits of the number of frames: a note is always of the same length, and is written in one piece. */
export const NOTE_DIGITS = 12
const NOTE = /^([0-9a-f]{16}) (\d{12})\n$/

/** Undefined where there is none, or none that is whole: then nothing is known. */
export function readNote(file: string): SyncedLog | undefined {
  try {
    const [, salts, frames] = NOTE.exec(readFileSync(noteOf(file), 'latin1')) ?? []
    return salts === undefined ? undefined : { salts, frames: Number(frames) }
  } catch {
    return undefined
  }
}

/** For good: what it says is no longer asked for. */
export const dropNote = (file: string): void => rmSync(noteOf(file), { force: true })
