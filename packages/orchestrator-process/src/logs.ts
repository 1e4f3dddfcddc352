import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import type { ServerLogLine } from '@matchyard/core'
import type { AttemptFiles } from './attempt-files'
import { isMachineTrouble } from './small-files'

/** As the supervisor writes it; without `m` it only says how far the raw file has been read. */
interface JournalLine {
  readonly t: number
  readonly s: 'o' | 'e'
  readonly m?: string
  readonly p: number
}

const STREAMS = { o: 'stdout', e: 'stderr' } as const
/** Of a raw file that nobody reads any more, its supervisor being gone. */
const TAIL_BYTES = 256 * 1024

/** The newest `limit` lines at or after `since`, oldest first, over all attempts given (oldest first). */
export async function readLogs(
  attempts: readonly AttemptFiles[],
  isFollowed: (attempt: AttemptFiles) => Promise<boolean>,
  { limit, since, journalBytes }: { limit: number; since?: number; journalBytes: number },
): Promise<ServerLogLine[]> {
  let lines: ServerLogLine[] = []
  // The newest first: of an instance that was started many times, no more is read than is asked for.
  for (const attempt of attempts.toReversed()) {
    if (lines.length >= limit) break
    const read = await readAttempt(attempt, isFollowed, journalBytes)
    lines = [...(since === undefined ? read : read.filter((line) => line.at >= since)), ...lines]
  }
  return limit <= 0 ? [] : lines.slice(-limit)
}

async function readAttempt(
  attempt: AttemptFiles,
  isFollowed: (attempt: AttemptFiles) => Promise<boolean>,
  journalBytes: number,
): Promise<ServerLogLine[]> {
  // Asked first: a supervisor that ends afterwards has written everything by then.
  const followed = await isFollowed(attempt)
  const older = await journal(attempt.path('journal.1.log'), journalBytes)
  const newer = await journal(attempt.path('journal.log'), journalBytes)
  const lines = [...older, ...newer]
  const position = { o: 0, e: 0 }
  for (const line of lines) position[line.s] = line.p
  // A line has one time for good: while there is a supervisor, what it has not stamped yet is not shown.
  if (followed) return lines.flatMap(shown)
  const tails = [await tail(attempt, 'o', position.o), await tail(attempt, 'e', position.e)].flat()
  return [...lines.flatMap(shown), ...tails].sort((a, b) => a.at - b.at) // stable: lines of one instant keep their order
}

const shown = ({ t, s, m }: JournalLine): ServerLogLine[] =>
  m === undefined ? [] : [{ at: t, stream: STREAMS[s], message: m }]

async function journal(path: string, maxBytes: number): Promise<JournalLine[]> {
  const { text } = await readEnd(path, 0, maxBytes)
  return text.split('\n').flatMap((row) => {
    try {
      const line: unknown = row === '' ? undefined : JSON.parse(row)
      return isJournalLine(line) ? [line] : []
    } catch {
      return [] // the last row, being written, or cut off by a full disk; or no row at all
    }
  })
}

function isJournalLine(value: unknown): value is JournalLine {
  if (typeof value !== 'object' || value === null) return false
  const { t, s, m, p } = value as Partial<Record<keyof JournalLine, unknown>>
  const isText = m === undefined || typeof m === 'string'
  return Number.isSafeInteger(t) && Number.isSafeInteger(p) && (s === 'o' || s === 'e') && isText
}

/** What the server has written since its supervisor was lost. */
async function tail(attempt: AttemptFiles, stream: 'o' | 'e', from: number): Promise<ServerLogLine[]> {
  const { text, at } = await readEnd(attempt.path(STREAMS[stream]), from, TAIL_BYTES)
  const lines = text.split('\n')
  if (lines.at(-1) === '') lines.pop()
  return lines.map((message) => ({ at, stream: STREAMS[stream], message }))
}

/** The end of a file, at most `maxBytes` of it; nothing of what is not there or is no file. */
async function readEnd(path: string, from: number, maxBytes: number): Promise<{ text: string; at: number }> {
  let handle: FileHandle | undefined
  try {
    handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK)
    const found = await handle.stat()
    const at = Math.floor(found.mtimeMs)
    const start = Math.max(from, found.size - maxBytes)
    if (!found.isFile() || found.size <= start) return { text: '', at }
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(found.size - start), 0, found.size - start, start)
    return { text: buffer.toString('utf8', 0, bytesRead), at }
  } catch (error) {
    if (isMachineTrouble(error)) throw error
    return { text: '', at: 0 }
  } finally {
    await handle?.close()
  }
}
