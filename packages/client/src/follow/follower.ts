import type { Lobby } from '../api/types'
import { type Calls, isPassing } from '../calls/calls'
import { whenAborted } from '../calls/first'
import type { Identity } from '../calls/identity'
import { isMatchyardError, type MatchyardError } from '../errors'
import type { Platform } from '../platform'
import { REPLAY_MS, REPLAYS } from '../times'
import { eventParser, TOO_LONG } from './event-parser'
import { beginning, type Connection, type Effect, type Follow, type Input, step, type Transport } from './machine'

/** Receiver of the versions of a followed lobby. */
export interface Sink {
  /** Called once with each version of the lobby, in order. */
  lobby(next: Lobby, isLast: boolean): void
  /** Called when the lobby can no longer be followed. There is no error when the lobby has ended. */
  gone(error?: MatchyardError): void
  connection(now: Connection, transport: Transport): void
}

export interface FollowerOptions {
  readonly calls: Calls
  readonly identity: Identity
  readonly platform: Platform
  /** Path of the lobby, from the root of the service. */
  readonly path: string
  /** Last known version of the lobby; 0 if no version is known. */
  readonly version: number
  readonly transport: Transport
  readonly sink: Sink
  /** Called with a sentence about a problem that the client handles itself. */
  readonly log: (sentence: string) => void
}

/**
 * Follows one lobby: executes the actions of the state machine (`machine.ts`), keeps the one connection, and passes on
 * the lobby's versions.
 */
export interface Follower {
  readonly state: Follow
  /** Passes an input to the state machine. An input that a listener causes is processed after the current input. */
  input(input: Input): void
  /**
   * Accepts a version from another source, such as the answer of a call. Passes it on at once if it is the next
   * version. Otherwise does nothing, because the connection delivers the versions in order.
   */
  offer(lobby: Lobby): void
}

interface Reader {
  bytes(): void
  retry(milliseconds: number): void
  event(name: string, lobby: Lobby): void
}

const UNREADABLE = new Error('unreadable')

export function followerOf(options: FollowerOptions): Follower {
  const { calls, identity, path, sink, log } = options
  const { after, now, random } = options.platform
  let { version } = options
  let state = beginning(now(), options.transport)
  const inputs: Input[] = []
  let working = false
  /** Whether a stream has delivered data before. */
  let streams = false
  /** Number of consecutive failed tries to read missed versions. */
  let fruitless = 0
  /** Abort controller of the current try; results of an aborted try are ignored. */
  let open = new AbortController()
  let callOff = () => {}

  const input = (next: Input): void => {
    inputs.push(next)
    if (working) return
    working = true
    for (let one = inputs.shift(); one !== undefined; one = inputs.shift()) {
      const next = step(state, one, now(), random())
      state = next.state
      if (state.phase === 'closed' || state.phase === 'paused') callOff()
      for (const effect of next.effects) run(effect)
    }
    working = false
  }

  const run = (effect: Effect): void => {
    const { attempt, connection, transport } = state
    if (effect.do === 'disconnect') open.abort()
    else if (effect.do === 'tell') sink.connection(connection, transport)
    else if (effect.do === 'heartbeat') calls.once('POST', `${path}/heartbeat`).catch(() => {})
    else if (effect.do === 'timer') {
      callOff()
      callOff = after(effect.inMs, () => input({ is: 'timer' }))
    } else {
      open = new AbortController()
      const { signal } = open
      const connecting = transport === 'stream' ? stream(attempt, signal) : poll(attempt, effect.waitSeconds, signal)
      connecting.catch((error: unknown) => signal.aborted || fault(attempt, error))
    }
  }

  /** Reads a stream to its end. */
  const stream = async (attempt: number, signal: AbortSignal): Promise<void> => {
    const asked = version
    let retries = 0
    let comeBackMs: number | undefined
    const isOver = await read(signal, {
      bytes: () => input({ is: 'heard', attempt }),
      // The service sends a `retry` field at the start of every stream, and again before it shuts down.
      retry: (ms) => {
        if (retries++ > 0) comeBackMs = ms
      },
      event: (name, lobby) => {
        comeBackMs = undefined
        if (!signal.aborted) take(lobby, name, asked)
      },
    })
    if (signal.aborted) return
    if (isOver) sink.gone()
    else input({ is: 'ended', attempt, comeBackMs })
  }

  /**
   * Sends one polling request. Versions that were missed since the previous request are read from the log of the
   * lobby's events.
   */
  const poll = async (attempt: number, waitSeconds: number, signal: AbortSignal): Promise<void> => {
    const asked = version
    try {
      const response = await calls.open(`${path}?after_version=${asked}&wait=${waitSeconds}`, signal)
      const text = await response.text()
      if (text !== '') {
        const lobby = JSON.parse(text) as Lobby
        if (isBehind(lobby)) await replay(signal)
        if (signal.aborted) return
        if (isBehind(lobby)) {
          if (fruitless < REPLAYS) throw new Error('behind')
          // The network delivered only the beginning of the stream, so the client stops reading missed versions from
          // streams.
          streams = false
        } else if (streams) fruitless = 0
        take(lobby, 'connected', asked)
      }
    } catch (error) {
      if (!isMatchyardError(error, 'LOBBY_NOT_FOUND')) throw error
      // After a lobby has ended, the service keeps the lobby's last event for an hour.
      await replay(signal)
      if (!signal.aborted) sink.gone()
    }
    input({ is: 'answered', attempt })
  }

  /**
   * Whether versions are missing and can be read from the lobby's log. They cannot be read when repeated streams
   * delivered nothing.
   */
  const isBehind = (lobby: Lobby): boolean =>
    (streams || fruitless < REPLAYS) && version > 0 && lobby.version > version + 1

  /** Reads the log of the lobby's events after the known version, within a time limit. */
  const replay = async (signal: AbortSignal): Promise<void> => {
    const abort = new AbortController()
    const stop = () => abort.abort()
    const unhook = whenAborted(signal, stop)
    // A silent stream means that the network buffers streams. A stream that was cut or refused is more often a
    // temporary fault.
    let quiet = after(REPLAY_MS, () => {
      fruitless += 3 / 4
      stop()
    })
    const known = version
    try {
      await read(abort.signal, {
        event: (name, lobby) => signal.aborted || take(lobby, name),
        retry: () => {},
        // All missed events arrive together.
        bytes: () => {
          if (version === known) return
          quiet()
          quiet = after(REPLAY_MS / 10, stop)
        },
      })
    } catch {
      if (version === known && !signal.aborted) fruitless += 1 / 4
    } finally {
      quiet()
      unhook()
    }
  }

  /** Reads an event stream until it ends. Returns whether the service announced that no more events will come. */
  const read = async (signal: AbortSignal, on: Reader): Promise<boolean> => {
    const known = version > 0 ? { 'last-event-id': `${version}` } : undefined
    const { body, status } = await calls.open(`${path}/events`, signal, known)
    if (status === 204) return true
    if (!body) throw UNREADABLE
    const reader = (body as ReadableStream<Uint8Array>).getReader()
    const parse = eventParser({ event: (name, data) => on.event(name, JSON.parse(data) as Lobby), retry: on.retry })
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return false
      streams = true
      parse(value)
      on.bytes()
    }
  }

  /** Processes a version from the service. `asked` is the version that the client knew when it sent the request. */
  const take = (lobby: Lobby, name: string, asked = version): void => {
    const isLast = name === 'lobby_deleted'
    // A version below the version that was known at the request means that the service's data was restored from a
    // backup. Any other older version is one that the client has received before.
    const isBack = name === 'connected' && lobby.version < asked
    if (!isBack && !isLast && lobby.version <= version) return
    version = lobby.version
    sink.lobby(lobby, isLast)
  }

  const fault = (attempt: number, error: unknown): void => {
    if (error === TOO_LONG) log(TOO_LONG.message)
    if (isFinal(error) && !identity.renews(error)) sink.gone(error)
    else if (state.phase === 'open') input({ is: 'ended', attempt })
    else {
      const retryAfterMs = isMatchyardError(error) ? error.retryAfterMs : undefined
      input({ is: 'failed', attempt, retryAfterMs, unreadable: error === UNREADABLE })
    }
  }

  return {
    get state() {
      return state
    },
    input,
    offer(lobby) {
      if (lobby.version === version + 1 && state.phase !== 'closed') take(lobby, 'lobby_updated')
    },
  }
}

/** Whether a refusal is final. An error that does not come from the service may be absent at the next try. */
const isFinal = (error: unknown): error is MatchyardError =>
  isMatchyardError(error) && !isPassing(error) && !isMatchyardError(error, 'INTERNAL', 'UNEXPECTED_ANSWER')
