import { existsSync } from 'node:fs'
import { StorageUnavailable } from '@matchyard/core/ports'
import { lockFile } from '../lock'
import { type LogFrame, type LogHeader, readLog } from './log-frames'
import { readNote } from './synced-note'

/** What SQLite would take of a log, and what it would leave lying there. */
interface Reading {
  readonly salts: string
  /** Frames up to the last whole transaction before the first frame that is not what was written. */
  readonly taken: number
  /** The first frame that is not what was written, 0 for the header; undefined where all is. */
  readonly broken: number | undefined
  /** The last frame of a whole transaction that comes after the end of another one, both beyond the broken frame; 0 where there is none. */
  readonly beyond: number
}

/**
 * Refuses a file whose log has lost what was acknowledged, before SQLite opens it: SQLite takes a log up to the first frame that is not
 * what was written, and says nothing of those after it. Throws StorageUnavailable.
 */
export function requireWholeLog(file: string): void {
  const damage = logDamage(file)
  if (damage !== undefined) throw new StorageUnavailable(damage)
}

/** The same where no service runs on the file: one that runs has looked, and writes to the log meanwhile. */
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
 * What is damaged in the log of a file on which nobody works, in a sentence; undefined where nothing that was acknowledged is lost.
 *
 * The note says how far the log was synced. Without one: a transaction is begun when the one before it is synced, so a crash tears at most
 * the last one, in whatever order the disk wrote its pages, and nothing comes after that. Where a whole transaction comes after the end
 * of another one, both beyond what is broken, the broken part was synced.
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

/** Of a log without a good header SQLite takes nothing; it was synced before the first frame was written. */
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
