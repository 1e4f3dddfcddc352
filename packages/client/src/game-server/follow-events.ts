import { createParser } from 'eventsource-parser'
import { backOffMs, pause } from './back-off'
import { bounded } from './bounded'
import type { WireTeam } from './configuration'
import { type MatchyardError, refusalOf } from './error'
import { reasonOf, type ServiceApi } from './service-api'

/**
 * Longest silence of a stream, in milliseconds. The service sends a comment every 15 seconds, so a longer silence means
 * a dead connection.
 */
const SILENCE_MS = 45_000

/** State of the connection to the service. */
export type ConnectionState =
  /** Changes of the match arrive at once. */
  | 'live'
  /** The service cannot be reached. The client keeps trying, and the match continues. */
  | 'reconnecting'
  /**
   * The service no longer knows this process: another process has replaced it, or the server has ended. No messages
   * will come.
   */
  | 'lost'

interface Following {
  /** Last known version of the match. */
  readonly version: number | undefined
  readonly signal: AbortSignal
  readonly onMatch: (update: { readonly match_version: number; readonly teams: readonly WireTeam[] }) => void
  readonly onStopping: (deadline: Date) => void
  readonly onConnection: (state: ConnectionState, why: string) => void
}

/**
 * Follows the service's messages to this server until the signal is aborted or the service no longer knows the server.
 * The messages contain the current state, not every change, so a reconnect needs only the last version.
 */
export async function followEvents(api: ServiceApi, following: Following): Promise<void> {
  const { signal, onConnection } = following
  let { version } = following
  const parser = createParser({
    onEvent: ({ event, data }) => {
      if (event === 'match_updated') {
        const update = JSON.parse(data) as { match_version: number; teams: readonly WireTeam[] }
        version = update.match_version
        following.onMatch(update)
      } else if (event === 'stopping') following.onStopping(new Date(JSON.parse(data).deadline))
    },
  })
  for (let failures = 1; !signal.aborted; failures++) {
    try {
      const refusal = await read(api, version, signal, {
        opened: () => {
          failures = 0
          onConnection('live', 'the event stream is open')
        },
        chunk: (text) => parser.feed(text),
      })
      parser.reset({ consume: false })
      if (refusal !== undefined && isFinal(refusal)) return onConnection('lost', refusal.detail)
      onConnection('reconnecting', refusal?.detail ?? 'the event stream ended')
    } catch (error) {
      parser.reset({ consume: false })
      if (signal.aborted) return
      onConnection('reconnecting', reasonOf(error))
    }
    await pause(backOffMs(Math.max(failures, 1)), signal).catch(() => {})
  }
}

/** Whether a refusal is final. For example, the token of a server is invalid after the server's attempt has ended. */
const isFinal = ({ status }: MatchyardError): boolean => status >= 400 && status < 500 && status !== 429

interface Reading {
  readonly opened: () => void
  readonly chunk: (text: string) => void
}

/**
 * Reads one stream to its end. Returns the answer if it is an error. Throws when the connection breaks or is silent for
 * too long.
 */
const read = (api: ServiceApi, version: number | undefined, signal: AbortSignal, { opened, chunk }: Reading) =>
  bounded(SILENCE_MS, signal, async (within, goOn): Promise<MatchyardError | undefined> => {
    const known = version === undefined ? {} : { 'last-event-id': String(version) }
    const headers = { authorization: api.authorization, accept: 'text/event-stream', ...known }
    const answer = await fetch(api.url('events'), { headers, signal: within })
    if (!answer.ok) return refusalOf(answer)
    opened()
    const decoder = new TextDecoder()
    for await (const bytes of answer.body ?? []) {
      goOn()
      chunk(decoder.decode(bytes, { stream: true }))
    }
    return undefined
  })
