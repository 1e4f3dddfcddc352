import { unreachable } from '../calls/calls'
import { whenAborted } from '../calls/first'
import { MatchyardError } from '../errors'
import { eventParser } from '../follow/event-parser'
import type { Platform } from '../platform'
import { SILENCE_MS } from '../times'

/** Maximum number of characters of one event. The lines of one event have at most 2 MiB in the service's own form. */
const LONGEST_EVENT = 8 * 1_048_576

/** Event of a stream. */
export interface StreamEvent {
  readonly name: string
  readonly id: string
  /** JSON of the event. */
  readonly data: string
}

export interface StreamReading {
  readonly open: (signal: AbortSignal) => Promise<Response>
  readonly platform: Pick<Platform, 'after'>
  readonly signal: AbortSignal | undefined
  /** Called with the milliseconds that the service asks a reader to wait before the next connection. */
  readonly retry: (milliseconds: number) => void
}

/**
 * Yields the events of one connection, until the service ends the stream. An answer with status 204 has one event,
 * `end`. Reads more only when the caller needs it. Throws `UNREACHABLE` when the connection breaks or is silent for too
 * long, `UNEXPECTED_ANSWER` when the answer is no stream, and the service's error when the request is refused.
 */
export async function* streamEvents({
  open,
  platform,
  signal,
  retry,
}: StreamReading): AsyncGenerator<StreamEvent, void, undefined> {
  const abort = new AbortController()
  const unhook = whenAborted(signal, () => abort.abort(signal?.reason))
  const events: StreamEvent[] = []
  const event = (name: string, data: string, id: string) => events.push({ name, data, id })
  const parse = eventParser({ event, retry }, LONGEST_EVENT)
  const inTime = async <T>(work: Promise<T>): Promise<T> => {
    const cancel = platform.after(SILENCE_MS, () => abort.abort(new Error(`no data within ${SILENCE_MS} ms`)))
    try {
      return await work
    } catch (cause) {
      throw unreachable(cause)
    } finally {
      cancel()
    }
  }
  try {
    const reader = readerOf(await inTime(open(abort.signal)))
    if (reader === undefined) return yield { name: 'end', id: '', data: '' }
    for (;;) {
      const { done, value } = await inTime(reader.read())
      if (done) return
      parse(value)
      yield* events.splice(0)
    }
  } finally {
    unhook()
    abort.abort()
  }
}

/** Returns the reader of a stream; undefined for status 204. Throws `UNEXPECTED_ANSWER` when the answer is no stream. */
function readerOf({ status, body, headers }: Response): ReadableStreamDefaultReader<Uint8Array> | undefined {
  if (status === 204) return undefined
  if (body && headers.get('content-type')?.startsWith('text/event-stream')) return body.getReader()
  throw new MatchyardError('UNEXPECTED_ANSWER', { detail: 'the answer was not an event stream', status })
}
