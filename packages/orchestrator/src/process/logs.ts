import { constants } from 'node:fs'
import { type FileHandle, open, stat } from 'node:fs/promises'
import type { ServerLogLine } from '@matchyard/core/ports'
import { isMachineTrouble } from '../kit/index'
import type { AttemptFiles } from './attempt-files'
import { journalBackwards } from './journal-end'

const STREAMS = { o: 'stdout', e: 'stderr' } as const
type Stream = keyof typeof STREAMS
/** Maximum bytes that are read of a raw output file whose supervisor has ended. */
const TAIL_BYTES = 256 * 1024

interface Query {
  readonly limit: number
  readonly since?: number
  readonly journalBytes: number
}

/**
 * Returns the newest `limit` log lines with times at or after `since`, oldest first. `attempts` are the instance's
 * attempts, oldest first.
 */
export async function readLogs(
  attempts: readonly AttemptFiles[],
  isFollowed: (attempt: AttemptFiles) => Promise<boolean>,
  query: Query,
): Promise<ServerLogLine[]> {
  let lines: ServerLogLine[] = []
  // The newest attempt is read first. Older attempts are read only while fewer than `limit` lines were found.
  for (const attempt of attempts.toReversed()) {
    const limit = query.limit - lines.length
    if (limit <= 0) break
    lines = [...(await readAttempt(attempt, isFollowed, { ...query, limit })), ...lines]
  }
  return lines
}

async function readAttempt(
  attempt: AttemptFiles,
  isFollowed: (attempt: AttemptFiles) => Promise<boolean>,
  query: Query,
): Promise<ServerLogLine[]> {
  // This is checked before the read: if the supervisor ends after the check, it has written all lines before the read.
  const followed = await isFollowed(attempt)
  // While a supervisor runs, lines to which it has not given a timestamp yet are not shown, because a line must keep
  // its first timestamp.
  const unread = followed ? [] : await rawStreams(attempt)
  const { lines, positions } = await readJournal(attempt, unread, query)
  if (unread.length === 0) return lines
  const tails = await Promise.all(unread.map((stream) => tail(attempt, stream, positions.get(stream) ?? 0)))
  const { since = Number.NEGATIVE_INFINITY, limit } = query
  const all = [...lines, ...tails.flat().filter(({ at }) => at >= since)]
  return all.sort((a, b) => a.at - b.at).slice(-limit) // the sort is stable: lines with equal times keep their order
}

/**
 * Reads the journal from its end, until it has found the requested lines and the recorded positions of the output
 * files. The times that it returns never go back.
 */
async function readJournal(attempt: AttemptFiles, streams: readonly Stream[], { limit, since, journalBytes }: Query) {
  const lines: ServerLogLine[] = []
  const positions = new Map<Stream, number>()
  let hasAll = false
  for await (const { t, s, m, p } of journalBackwards(attempt, journalBytes)) {
    if (!positions.has(s)) positions.set(s, p)
    hasAll ||= since !== undefined && t < since
    if (!hasAll && m !== undefined) hasAll = lines.push({ at: t, stream: STREAMS[s], message: m }) === limit
    if (hasAll && streams.every((stream) => positions.has(stream))) break
  }
  return { lines: lines.reverse(), positions }
}

/** Returns the raw output files that remained after the server's end. */
async function rawStreams(attempt: AttemptFiles): Promise<Stream[]> {
  const found = await Promise.all(
    (['o', 'e'] as const).map(async (stream) => {
      const is = await stat(attempt.path(STREAMS[stream])).catch(() => undefined)
      return is?.isFile() === true && is.size > 0 ? stream : undefined
    }),
  )
  return found.filter((stream) => stream !== undefined)
}

/** Returns the lines that the server has written since its supervisor was lost. */
async function tail(attempt: AttemptFiles, stream: Stream, from: number): Promise<ServerLogLine[]> {
  const { text, at } = await readEnd(attempt.path(STREAMS[stream]), from, TAIL_BYTES)
  const lines = text.split('\n')
  if (lines.at(-1) === '') lines.pop()
  return lines.map((message) => ({ at, stream: STREAMS[stream], message }))
}

/** Returns the end of a file, at most `maxBytes`; an empty text when the path is missing or not a regular file. */
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
