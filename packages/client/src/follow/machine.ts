import { backoff } from '../calls/backoff'

/** How a lobby is followed: by an event stream, or by asking for its next version again and again. */
export type Transport = 'stream' | 'polling'

/** `live`: what happens is told at once. `reconnecting`: it is being tried. `lost`: nothing was heard for half a minute; it is tried on. */
export type Connection = 'live' | 'reconnecting' | 'lost'

/** A try to connect has this long until the first byte of its answer. */
const CONNECT_MS = 10_000
/** The service says something every 15 s. Past this a connection is dead, whatever the system believes. */
const SILENCE_MS = 35_000
/** How often an open connection is looked at. */
const LOOK_MS = 5_000
/** A timer that is later than this has slept. */
const SLEPT_MS = 10_000
/** When somebody looks at the page again, a connection that has said nothing for so long is not trusted. */
const DOUBTFUL_MS = 20_000
/** While nothing is open the player is kept in the lobby by a call, this often. */
const HEARTBEAT_MS = 10_000
const LOST_MS = 30_000
/** A stream that ends younger than this without a word was cut by something between. */
const YOUNG_MS = 20_000
/** So many young streams in a row, and it is the way that cuts them. */
const CUTS = 3
/** How long it is polled before a stream is tried again: longer each time. */
const STREAM_AGAIN_MS = [60_000, 300_000, 900_000] as const
/** The longest wait that the service takes. */
const POLL_SECONDS = 25

/** All that following a lobby depends on. */
export interface Follow {
  readonly phase: 'connecting' | 'open' | 'waiting' | 'paused' | 'closed'
  /** Which try this is; what is heard of an older one is passed over. */
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
  | { readonly do: 'connect'; readonly attempt: number; readonly transport: Transport; readonly waitSeconds: number }
  | { readonly do: 'disconnect' }
  | { readonly do: 'heartbeat' }
  /** Replaces the timer before. */
  | { readonly do: 'timer'; readonly inMs: number }
  | { readonly do: 'tell'; readonly connection: Connection; readonly transport: Transport }

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
  cutAfter: Number.POSITIVE_INFINITY,
  pollSeconds: 0,
  turns: 0,
  streamAgainAt: Number.POSITIVE_INFINITY,
  timerAt: at,
  retryAt: at,
  connection: 'reconnecting',
})

/** A wait that ends before the connection would be cut. */
const secondsWithin = (milliseconds: number): number =>
  Math.max(1, Math.min(POLL_SECONDS, Math.floor((milliseconds * 0.8) / 1000)))

type Draft = { -readonly [K in keyof Follow]: Follow[K] }

/** What follows from an input. Pure: the time and the chance are given. */
export function step(before: Follow, input: Input, at: number, chance: number): Step {
  const state: Draft = { ...before }
  const effects: Effect[] = []
  const lasted = at - before.since
  const isOpen = before.phase === 'open'
  const isPolling = before.transport === 'polling'

  const tell = (connection: Connection) => {
    if (state.connection === connection) return
    state.connection = connection
    effects.push({ do: 'tell', connection, transport: state.transport })
  }
  const ring = (inMs: number) => {
    state.timerAt = at + inMs
    effects.push({ do: 'timer', inMs })
  }
  const disconnect = () => {
    // What is still heard of it is passed over.
    state.attempt++
    effects.push({ do: 'disconnect' })
  }
  /** Begins a try; whatever was open is let go. */
  const connect = () => {
    // A way that cuts streams may be another one by now.
    if (state.transport === 'polling' && at >= state.streamAgainAt) {
      state.transport = 'stream'
      state.cuts = CUTS - 1
    }
    disconnect()
    state.phase = 'connecting'
    state.since = at
    const { attempt, transport } = state
    // The first poll does not wait: its answer says that polling works.
    const waitSeconds = transport === 'polling' && state.connection === 'live' ? state.pollSeconds : 0
    effects.push({ do: 'connect', attempt, transport, waitSeconds })
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
    state.streamAgainAt = at + (STREAM_AGAIN_MS[Math.min(state.turns++, STREAM_AGAIN_MS.length - 1)] ?? 0)
    state.pollSeconds = secondsWithin(state.cutAfter)
    state.cuts = 0
    if (state.connection === 'live') state.connection = 'reconnecting'
    connect()
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
    // Another network perhaps, which lets streams through.
    state.streamAgainAt = at
    connect()
    return true
  }
  const end = (comeBackMs: number | undefined) => {
    if (!isOpen) return fail(0)
    const isCut = comeBackMs === undefined && lasted < YOUNG_MS
    state.cutAfter = isCut ? Math.min(state.cutAfter, lasted) : Number.POSITIVE_INFINITY
    state.cuts = isCut ? state.cuts + 1 : 0
    if (state.cuts >= CUTS) return poll()
    if (comeBackMs === undefined) state.failures = 1
    reconnect(comeBackMs ?? backoff(0, chance))
  }
  const hear = () => {
    state.heardAt = at
    if (state.phase !== 'connecting' || isPolling) return
    state.phase = 'open'
    state.since = at
    state.failures = 0
    tell('live')
    ring(LOOK_MS)
  }
  const answer = () => {
    state.heardAt = at
    state.failures = 0
    const isStorm = state.connection === 'live' && state.pollSeconds > 1 && lasted < 200
    tell('live')
    // One that should have waited and did not would otherwise be asked again and again.
    if (isStorm) wait(200 + chance * 800)
    else connect()
  }
  const timer = () => {
    const slept = Math.abs(at - state.timerAt) > SLEPT_MS
    if (state.phase === 'paused' || (slept && wake())) return
    if (state.phase === 'waiting') {
      if (at >= state.retryAt) return connect()
      effects.push({ do: 'heartbeat' })
      ring(Math.min(state.retryAt - at, HEARTBEAT_MS))
    } else if (state.phase === 'connecting' && !slept) {
      // Headers without a byte, or nothing at all, again and again: what is between keeps streams to itself.
      if (!isPolling && state.cuts + 1 >= CUTS) poll()
      else fail(state.cuts + 1)
    } else if (isOpen && at - state.heardAt > SILENCE_MS) {
      state.failures = 1
      state.cuts = 0
      reconnect(0)
    } else ring(LOOK_MS)
  }

  const isOld = 'attempt' in input && input.attempt !== before.attempt
  if (before.phase === 'closed' || isOld) return { state: before, effects }
  if (input.is === 'resume') {
    state.failures = 0
    if (before.phase === 'paused') connect()
  } else if (input.is === 'pause' || input.is === 'close') {
    disconnect()
    state.phase = input.is === 'pause' ? 'paused' : 'closed'
    state.connection = 'reconnecting'
  } else if (input.is === 'wake') wake()
  else if (input.is === 'timer') timer()
  else if (input.is === 'heard') hear()
  else if (input.is === 'answered') answer()
  else if (input.is === 'ended') end(input.comeBackMs)
  else if (input.is === 'failed' && input.unreadable) {
    state.turns = STREAM_AGAIN_MS.length
    poll()
  } else if (input.is === 'failed') fail(0, input.retryAfterMs)
  return { state, effects }
}
