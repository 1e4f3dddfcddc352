import { open, readFile, stat } from 'node:fs/promises'
import type { ServerLogLine } from '@matchyard/core'
import { type AttemptFiles, isMissing } from './attempt-files'

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
  { limit, since }: { limit: number; since?: number },
): Promise<ServerLogLine[]> {
  const lines: ServerLogLine[] = []
  for (const attempt of attempts) lines.push(...(await readAttempt(attempt, isFollowed)))
  const recent = since === undefined ? lines : lines.filter((line) => line.at >= since)
  return limit <= 0 ? [] : recent.slice(-limit)
}

async function readAttempt(
  attempt: AttemptFiles,
  isFollowed: (attempt: AttemptFiles) => Promise<boolean>,
): Promise<ServerLogLine[]> {
  // Asked first: a supervisor that ends afterwards has written everything by then.
  const followed = await isFollowed(attempt)
  const older = await journal(attempt.path('journal.1.log'))
  const newer = await journal(attempt.path('journal.log'))
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

async function journal(path: string): Promise<JournalLine[]> {
  const text = await orMissing(readFile(path, 'utf8'), '')
  return text.split('\n').flatMap((row) => {
    try {
      return row === '' ? [] : [JSON.parse(row) as JournalLine]
    } catch {
      return [] // the last row, being written, or cut off by a full disk
    }
  })
}

/** What the server has written since its supervisor was lost. */
async function tail(attempt: AttemptFiles, stream: 'o' | 'e', from: number): Promise<ServerLogLine[]> {
  const path = attempt.path(STREAMS[stream])
  const found = await orMissing(stat(path), undefined)
  if (found === undefined || found.size <= from) return []
  const start = Math.max(from, found.size - TAIL_BYTES)
  const handle = await open(path, 'r')
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(found.size - start), 0, found.size - start, start)
    const lines = buffer.toString('utf8', 0, bytesRead).split('\n')
    if (lines.at(-1) === '') lines.pop()
    return lines.map((message) => ({ at: Math.floor(found.mtimeMs), stream: STREAMS[stream], message }))
  } finally {
    await handle.close()
  }
}

async function orMissing<T, U>(reading: Promise<T>, otherwise: U): Promise<T | U> {
  try {
    return await reading
  } catch (error) {
    if (isMissing(error)) return otherwise
    throw error
  }
}
