import { backoff } from '../calls/backoff'
import {
  CONNECT_MS,
  CUTS,
  DOUBTFUL_MS,
  HEARTBEAT_MS,
  LOOK_MS,
  LOST_MS,
  NEVER,
  POLL_SECONDS,
  SILENCE_MS,
  SLEPT_MS,
  YOUNG_MS,
} from '../times'

/** How a lobby is followed: by an event stream, or by asking for its next version again and again. */
export type Transport = 'stream' | 'polling'

/**
 * `live`: events arrive at once. `reconnecting`: the client tries to connect. `lost`: nothing was received for half a minute; the client keeps
 * trying.
 */
export type Connection = 'live' | 'reconnecting' | 'lost'

/** How long it is polled before a stream is tried again: one minute, five, fifteen. */
const streamAgainMs = (turns: number): number => Math.min(900_000, 60_000 * 5 ** turns)

/** All that following a lobby depends on. */
export interface Follow {
  readonly phase: 'connecting' | 'open' | 'waiting' | 'paused' | 'closed'
  /** Number of the try; results of an older one are ignored. */
  readonly attempt: number
  readonly transport: Transport
  /** Since when the try, or the connection, is under way. */
  readonly since: number
  /** When something was last heard of the service. */
  readonly heardAt: number
  readonly failures: number
  /** Streams in a row that were cut. */
  readonly cuts: number
  /** How long the one that lived shortest of them did. */
  readonly cutAfter: number
  /** How long a poll waits, in seconds. */
  readonly pollSeconds: number
  /** How often it was turned to polling. */
  readonly turns: number
  readonly streamAgainAt: number
  /** When the timer was to ring, and, in `waiting`, when it is tried again. */
  readonly timerAt: number
  readonly retryAt: number
  readonly connection: Connection
}

export type Input =
  | { readonly is: 'timer' | 'wake' | 'pause' | 'resume' | 'close' }
  /** Bytes of the stream. */
  | { readonly is: 'heard'; readonly attempt: number }
  /** A poll was answered. */
  | { readonly is: 'answered'; readonly attempt: number }
  /** An open stream ended; `comeBackMs` where the service said when to come back. */
  | { readonly is: 'ended'; readonly attempt: number; readonly comeBackMs?: number | undefined }
  /** Nothing was opened. `unreadable`: this runtime cannot read a stream. */
  | {
      readonly is: 'failed'
      readonly attempt: number
      readonly retryAfterMs?: number | undefined
      readonly unreadable?: boolean
    }

export type Effect =
  /** By the transport of the state; a poll waits for so long. */
  | { readonly do: 'connect'; readonly waitSeconds: number }
  | { readonly do: 'disconnect' }
  | { readonly do: 'heartbeat' }
  /** Replaces the timer before. */
  | { readonly do: 'timer'; readonly inMs: number }
  /** The state's connection is another one. */
  | { readonly do: 'tell' }

export interface Step {
  readonly state: Follow
  readonly effects: readonly Effect[]
}

/** Following that has not begun: `resume` begins it. */
export const beginning = (at: number, transport: Transport = 'stream'): Follow => ({
  phase: 'paused',
  attempt: 0,
  transport,
  since: at,
  heardAt: at,
  failures: 0,
  cuts: 0,
  cutAfter: NEVER,
  pollSeconds: 0,
  turns: 0,
  streamAgainAt: NEVER,
  timerAt: at,
  retryAt: at,
  connection: 'reconnecting',
})

/** A wait that ends before the connection would be cut. */
const secondsWithin = (milliseconds: number): number =>
  Math.max(1, Math.min(POLL_SECONDS, Math.floor((milliseconds * 0.8) / 1000)))

type Draft = { -readonly [K in keyof Follow]: Follow[K] }

/** Returns the next state and the actions for an input. A pure function: time and chance are parameters. */
export function step(before: Follow, input: Input, at: number, chance: number): Step {
  const state: Draft = { ...before }
  const effects: Effect[] = []
  const lasted = at - before.since
  const isOpen = before.phase === 'open'
  const isPolling = before.transport === 'polling'

  const tell = (connection: Connection) => {
    if (state.connection === connection) return
    state.connection = connection
    effects.push({ do: 'tell' })
  }
  const ring = (inMs: number) => {
    state.timerAt = at + inMs
    effects.push({ do: 'timer', inMs })
  }
  const disconnect = () => {
    // Later results of this try are ignored.
    state.attempt++
    effects.push({ do: 'disconnect' })
  }
  /** Starts a try and closes the previous one. */
  const connect = () => {
    // A way that cuts streams may be another one by now.
    if (state.transport === 'polling' && at >= state.streamAgainAt) {
      state.transport = 'stream'
      state.cuts = CUTS - 1
    }
    disconnect()
    state.phase = 'connecting'
    state.since = at
    // The first poll does not wait: its answer says that polling works.
    const waitSeconds = state.transport === 'polling' && state.connection === 'live' ? state.pollSeconds : 0
    effects.push({ do: 'connect', waitSeconds })
    ring(CONNECT_MS + waitSeconds * 1000)
  }
  /** Waits for the next try, with a heartbeat now and then. */
  const wait = (delay: number) => {
    disconnect()
    state.phase = 'waiting'
    state.retryAt = at + delay
    ring(Math.min(delay, HEARTBEAT_MS))
  }
  const reconnect = (delay: number) => {
    tell(at - state.heardAt >= LOST_MS ? 'lost' : 'reconnecting')
    wait(delay)
  }
  /** Streams do not come through, so it is polled. */
  const poll = () => {
    state.transport = 'polling'
    state.streamAgainAt = at + streamAgainMs(state.turns++)
    state.pollSeconds = secondsWithin(state.cutAfter)
    state.cuts = 0
    if (state.connection === 'live') state.connection = 'reconnecting'
    connect()
  }
  /** An open stream is over, and perhaps it is the way that ended it. */
  const cut = (isCut: boolean, delay: number) => {
    state.cuts = isCut ? state.cuts + 1 : 0
    if (state.cuts >= CUTS) poll()
    else reconnect(delay)
  }
  const fail = (cuts: number, retryAfterMs = 0) => {
    // A poll that was cut while it waited is asked for less.
    if (isPolling && state.connection === 'live' && lasted > 1_000) {
      state.pollSeconds = secondsWithin(Math.min(lasted, state.pollSeconds * 1000))
    }
    state.cuts = cuts
    reconnect(Math.max(backoff(state.failures++, chance), retryAfterMs))
  }
  /** A good moment to try: at once where nothing is open, and where what is open may be dead. */
  const wake = () => {
    const silent = Math.abs(at - Math.max(state.heardAt, state.since)) > DOUBTFUL_MS
    if (state.phase === 'paused' || (state.phase !== 'waiting' && !silent)) return false
    if (state.connection === 'live') tell('reconnecting')
    state.failures = 0
    // Another network perhaps, which lets streams through; where it was polled from the beginning no network does.
    if (state.turns > 0) state.streamAgainAt = at
    connect()
    return true
  }

  const isOld = 'attempt' in input && input.attempt !== before.attempt
  if (before.phase === 'closed' || isOld) return { state: before, effects }
  switch (input.is) {
    case 'resume':
      state.failures = 0
      if (before.phase === 'paused') connect()
      break
    case 'pause':
    case 'close':
      disconnect()
      state.phase = input.is === 'pause' ? 'paused' : 'closed'
      state.connection = 'reconnecting'
      break
    case 'wake':
      wake()
      break
    case 'heard':
      state.heardAt = at
      if (before.phase !== 'connecting' || isPolling) break
      state.phase = 'open'
      state.since = at
      state.failures = 0
      tell('live')
      ring(LOOK_MS)
      break
    case 'answered': {
      state.heardAt = at
      state.failures = 0
      const isStorm = before.connection === 'live' && before.pollSeconds > 1 && lasted < 200
      tell('live')
      // A poll that returns without waiting would otherwise be repeated at once, again and again.
      if (isStorm) wait(200 + chance * 800)
      else connect()
      break
    }
    case 'ended': {
      if (!isOpen) {
        fail(0)
        break
      }
      const { comeBackMs } = input
      const isCut = comeBackMs === undefined && lasted < YOUNG_MS
      state.cutAfter = isCut ? Math.min(state.cutAfter, lasted) : NEVER
      if (comeBackMs === undefined) state.failures = 1
      cut(isCut, comeBackMs ?? backoff(0, chance))
      break
    }
    case 'failed':
      if (input.unreadable) {
        state.turns = 2
        poll()
      } else fail(0, input.retryAfterMs)
      break
    case 'timer': {
      const slept = Math.abs(at - before.timerAt) > SLEPT_MS
      if (before.phase === 'paused' || (slept && wake())) break
      if (before.phase === 'waiting') {
        if (at >= before.retryAt) connect()
        else {
          effects.push({ do: 'heartbeat' })
          ring(Math.min(before.retryAt - at, HEARTBEAT_MS))
        }
      } else if (before.phase === 'connecting' && !slept) {
        // Repeated headers without a byte, or nothing at all: a proxy buffers the streams.
        if (!isPolling && before.cuts + 1 >= CUTS) poll()
        else fail(before.cuts + 1)
      } else if (isOpen && at - before.heardAt > SILENCE_MS) {
        state.failures = 1
        // Nothing after the beginning: a proxy may hold back everything that does not fill its buffer.
        cut(before.heardAt - before.since < YOUNG_MS, 0)
      } else ring(LOOK_MS)
    }
  }
  return { state, effects }
}
