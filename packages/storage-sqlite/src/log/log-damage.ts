import { existsSync } from 'node:fs'
import { StorageUnavailable } from '@matchyard/core/ports'
import { lockFile } from '../lock'
import { type LogFrame, type LogHeader, readLog } from './log-frames'
import { readNote } from './synced-note'

/**
 * Result of reading a write-ahead log: the frames (pages in the log) that SQLite would use, and those that it would
 * ignore.
 */
interface Reading {
  readonly salts: string
  /** Number of frames that SQLite uses: up to the end of the last whole transaction before the first broken frame. */
  readonly taken: number
  /**
   * Number of the first broken frame: its salts or its checksum do not match. 0 for a broken header; undefined when no
   * frame is broken.
   */
  readonly broken: number | undefined
  /**
   * Number of the last frame of a whole transaction that directly follows the end of another transaction, when both
   * come after the broken frame; 0 when there is no such transaction. The broken frame may belong to the other one.
   */
  readonly beyond: number
}

/**
 * Throws StorageUnavailable for a file whose log has lost acknowledged commits. Must run before SQLite opens the file,
 * because SQLite silently ignores all frames after the first broken frame.
 */
export function requireWholeLog(file: string): void {
  const damage = logDamage(file)
  if (damage !== undefined) throw new StorageUnavailable(damage)
}

/**
 * Calls `requireWholeLog` if no service runs on the file. A running service has checked the log already, and is writing
 * to it.
 */
export function requireWholeLogUnlessHeld(file: string): void {
  if (!existsSync(`${file}.lock`)) {
    requireWholeLog(file)
    return
  }
  let lock: ReturnType<typeof lockFile>
  try {
    lock = lockFile(file)
  } catch (error) {
    if (error instanceof StorageUnavailable) return
    throw error
  }
  try {
    requireWholeLog(file)
  } finally {
    lock.release()
  }
}

/**
 * Returns a sentence about the damage in a file's log; undefined when no acknowledged commit is lost. No program may
 * write to the file meanwhile.
 *
 * The note, a small file beside the database, says how much of the log was synced. Without a note, the order of the
 * frames shows how much was synced. A transaction begins only after the transaction before it was synced. A crash
 * therefore damages at most the last transaction, in whatever order the disk wrote its pages. If the end of a
 * transaction and then a whole transaction follow the broken frame, the broken frame had been synced, and acknowledged
 * commits are lost.
 */
export function logDamage(file: string): string | undefined {
  const note = readNote(file)
  return readLog(`${file}-wal`, (header, frames) => {
    const reading = readingOf(header, frames)
    const known = note?.salts === reading.salts ? note.frames : 0
    const synced = Math.max(known, reading.beyond)
    return reading.taken < synced ? sentence(file, reading, synced) : undefined
  })
}

/**
 * Returns the used and the ignored frames of a log. SQLite uses no frame of a log with a broken header. The header is
 * synced before the first frame is written.
 */
function readingOf(header: LogHeader, frames: Iterable<LogFrame>): Reading {
  let salts = header.isValid ? header.salts : undefined
  let broken = header.isValid ? undefined : 0
  let taken = 0
  let beyond = 0
  let isAfterOther = false
  for (const frame of frames) {
    salts ??= frame.salts
    const fits = frame.salts === salts && frame.isChained
    if (broken === undefined && !fits) broken = frame.number
    if (broken === undefined) {
      if (frame.isCommit) taken = frame.number
    } else if (!fits) isAfterOther = false
    else if (frame.isCommit) {
      if (isAfterOther) beyond = frame.number
      isAfterOther = true
    }
  }
  return { salts: salts ?? header.salts, taken, broken, beyond }
}

const whereOf = (broken: number | undefined): string =>
  broken === undefined ? 'it is cut off' : broken === 0 ? 'its header is damaged' : `its page ${broken} is damaged`

const sentence = (file: string, { broken, taken }: Reading, synced: number): string =>
  `the write-ahead log ${file}-wal has lost acknowledged commits: ${whereOf(broken)}, and of at least ${synced} pages ${taken} can be read; put back a whole copy of it, restore a backup, or go on without them with \`matchyard migrate --accept-lost-log\``
