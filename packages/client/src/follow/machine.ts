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

/** Transport by which a lobby is followed: an event stream, or polling for the next version. */
export type Transport = 'stream' | 'polling'

/**
 * State of a connection. `live`: events arrive at once. `reconnecting`: the client tries to connect. `lost`: nothing
 * was received for 30 seconds; the client keeps trying to connect.
 */
export type Connection = 'live' | 'reconnecting' | 'lost'

/**
 * Returns for how many milliseconds the client polls before it tries a stream again: one minute the first time, then
 * five minutes, then fifteen.
 */
const streamAgainMs = (turns: number): number => Math.min(900_000, 60_000 * 5 ** turns)

/** State of the connection by which a lobby is followed. */
export interface Follow {
  readonly phase: 'connecting' | 'open' | 'waiting' | 'paused' | 'closed'
  /** Number of the current try to connect. Results of earlier tries are ignored. */
  readonly attempt: number
  readonly transport: Transport
  /** Start of the current try or connection. */
  readonly since: number
  /** Time of the last data from the service. */
  readonly heardAt: number
  readonly failures: number
  /** Number of consecutive streams that the network cut. */
  readonly cuts: number
  /** Shortest lifetime of the streams that `cuts` counts. */
  readonly cutAfter: number
  /** Seconds for which a poll waits for the next version. */
  readonly pollSeconds: number
  /** Number of times that the client changed from streams to polling. */
  readonly turns: number
  readonly streamAgainAt: number
  /** Time at which the timer ends. In the state `waiting`, this is also the time of the next try. */
  readonly timerAt: number
  readonly retryAt: number
  readonly connection: Connection
}

export type Input =
  | { readonly is: 'timer' | 'wake' | 'pause' | 'resume' | 'close' }
  /** Data of the stream arrived. */
  | { readonly is: 'heard'; readonly attempt: number }
  /** A poll was answered. */
  | { readonly is: 'answered'; readonly attempt: number }
  /** An open stream ended; `comeBackMs` is the wait that the service asked for. */
  | { readonly is: 'ended'; readonly attempt: number; readonly comeBackMs?: number | undefined }
  /** The try to connect failed. `unreadable`: this runtime cannot read a stream. */
  | {
      readonly is: 'failed'
      readonly attempt: number
      readonly retryAfterMs?: number | undefined
      readonly unreadable?: boolean
    }

export type Effect =
  /** Connects by the current transport. A polling request waits for at most this many seconds. */
  | { readonly do: 'connect'; readonly waitSeconds: number }
  | { readonly do: 'disconnect' }
  | { readonly do: 'heartbeat' }
  /** Starts the timer, which replaces the previous timer. */
  | { readonly do: 'timer'; readonly inMs: number }
  /** Reports that the state of the connection changed. */
  | { readonly do: 'tell' }

export interface Step {
  readonly state: Follow
  readonly effects: readonly Effect[]
}

/** Returns the state before a lobby is followed; the input `resume` starts following. */
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

/**
 * Returns the seconds for which a polling request may wait, so that it ends before the network would cut the
 * connection.
 */
const secondsWithin = (milliseconds: number): number =>
  Math.max(1, Math.min(POLL_SECONDS, Math.floor((milliseconds * 0.8) / 1000)))

type Draft = { -readonly [K in keyof Follow]: Follow[K] }

/**
 * Returns the next state and the actions for an input. A pure function: the time and the random number are parameters.
 */
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
    // Results of this try that arrive later are ignored.
    state.attempt++
    effects.push({ do: 'disconnect' })
  }
  /** Starts a try to connect, and closes the previous connection. */
  const connect = () => {
    // The network may have changed since it cut the streams, so a stream is tried again.
    if (state.transport === 'polling' && at >= state.streamAgainAt) {
      state.transport = 'stream'
      state.cuts = CUTS - 1
    }
    disconnect()
    state.phase = 'connecting'
    state.since = at
    // The first polling request does not wait, so that its answer shows at once that polling works.
    const waitSeconds = state.transport === 'polling' && state.connection === 'live' ? state.pollSeconds : 0
    effects.push({ do: 'connect', waitSeconds })
    ring(CONNECT_MS + waitSeconds * 1000)
  }
  /** Waits for the next try, and sends heartbeats meanwhile. */
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
  /** Changes to polling, because streams do not arrive. */
  const poll = () => {
    state.transport = 'polling'
    state.streamAgainAt = at + streamAgainMs(state.turns++)
    state.pollSeconds = secondsWithin(state.cutAfter)
    state.cuts = 0
    if (state.connection === 'live') state.connection = 'reconnecting'
    connect()
  }
  /** Handles the end of an open stream. `isCut` is whether the network may have cut the stream. */
  const cut = (isCut: boolean, delay: number) => {
    state.cuts = isCut ? state.cuts + 1 : 0
    if (state.cuts >= CUTS) poll()
    else reconnect(delay)
  }
  const fail = (cuts: number, retryAfterMs = 0) => {
    // After the network cut a polling request, later requests wait for a shorter time.
    if (isPolling && state.connection === 'live' && lasted > 1_000) {
      state.pollSeconds = secondsWithin(Math.min(lasted, state.pollSeconds * 1000))
    }
    state.cuts = cuts
    reconnect(Math.max(backoff(state.failures++, chance), retryAfterMs))
  }
  /**
   * Connects at once if the client waits for its next try, or if the current try or connection has been silent for
   * `DOUBTFUL_MS`. Does nothing while paused.
   */
  const wake = () => {
    const silent = Math.abs(at - Math.max(state.heardAt, state.since)) > DOUBTFUL_MS
    if (state.phase === 'paused' || (state.phase !== 'waiting' && !silent)) return false
    if (state.connection === 'live') tell('reconnecting')
    state.failures = 0
    // The network may have changed and may now allow streams. A client that polls by its options never uses streams.
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
      // Without this wait, polling requests that return at once would be repeated without pauses.
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
        // If streams repeatedly deliver their headers without data, or no answer at all, a proxy buffers the streams.
        if (!isPolling && before.cuts + 1 >= CUTS) poll()
        else fail(before.cuts + 1)
      } else if (isOpen && at - before.heardAt > SILENCE_MS) {
        state.failures = 1
        // If the stream was silent after its beginning, a proxy may hold back data until its buffer is full.
        cut(before.heardAt - before.since < YOUNG_MS, 0)
      } else ring(LOOK_MS)
    }
  }
  return { state, effects }
}
