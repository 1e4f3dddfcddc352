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
  | { readonly is: 'start' | 'timer' | 'wake' | 'pause' | 'resume' | 'close' }
  /** The first byte of the stream, or the answer to a poll that asked for no wait. */
  | { readonly is: 'opened' | 'heard'; readonly attempt: number }
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

/** Following that has not begun: `start` begins it. */
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

/** What follows from an input. Pure: the time and the chance are given. */
export function step(state: Follow, input: Input, at: number, chance: number): Step {
  if (state.phase === 'closed') return { state, effects: [] }
  if ('attempt' in input && input.attempt !== state.attempt) return { state, effects: [] }
  switch (input.is) {
    case 'start':
    case 'resume':
      return state.phase === 'paused' ? connect({ ...state, failures: 0 }, at) : { state, effects: [] }
    case 'pause':
      return state.phase === 'paused' ? { state, effects: [] } : disconnected({ ...state, phase: 'paused' })
    case 'close':
      return disconnected({ ...state, phase: 'closed' })
    case 'wake':
      return woken(state, at)
    case 'timer':
      return rung(state, at, chance)
    case 'opened':
    case 'heard':
      return heard(state, at)
    case 'answered':
      return answered(state, at, chance)
    case 'ended':
      return ended(state, at, chance, input.comeBackMs)
    case 'failed':
      return failed(state, at, chance, input)
  }
}

/** Begins a try; whatever was open is let go. */
function connect(before: Follow, at: number): Step {
  // A way that cuts streams may be another one by now.
  const again = before.transport === 'polling' && at >= before.streamAgainAt
  const state: Follow = {
    ...before,
    ...(again ? { transport: 'stream', cuts: CUTS - 1, streamAgainAt: Number.POSITIVE_INFINITY } : {}),
    phase: 'connecting',
    attempt: before.attempt + 1,
    since: at,
  }
  // The first poll does not wait: its answer says that polling works.
  const waitSeconds = state.transport === 'polling' && state.connection === 'live' ? state.pollSeconds : 0
  const { attempt, transport } = state
  const effect: Effect = { do: 'connect', attempt, transport, waitSeconds }
  return timed(state, at, CONNECT_MS + waitSeconds * 1000, [{ do: 'disconnect' }, effect])
}

function heard(before: Follow, at: number): Step {
  const state: Follow = { ...before, heardAt: at }
  if (before.phase !== 'connecting' || before.transport === 'polling') return { state, effects: [] }
  return timed({ ...state, phase: 'open', since: at, failures: 0 }, at, LOOK_MS, [], 'live')
}

function answered(before: Follow, at: number, chance: number): Step {
  const lasted = at - before.since
  const state: Follow = { ...before, heardAt: at, failures: 0 }
  const first = before.connection !== 'live'
  const next = told(state, 'live')
  // One that should have waited and did not would otherwise be a storm.
  if (!first && state.pollSeconds > 1 && lasted < 200) return wait(next.state, at, 200 + chance * 800, next.effects)
  const connecting = connect(next.state, at)
  return { state: connecting.state, effects: [...next.effects, ...connecting.effects] }
}

function ended(before: Follow, at: number, chance: number, comeBackMs: number | undefined): Step {
  if (before.phase !== 'open') return failed(before, at, chance, { is: 'failed', attempt: before.attempt })
  if (comeBackMs !== undefined) return reconnecting({ ...before, cuts: 0 }, at, comeBackMs)
  const lived = at - before.since
  const isCut = lived < YOUNG_MS
  const state: Follow = {
    ...before,
    cuts: isCut ? before.cuts + 1 : 0,
    cutAfter: isCut ? Math.min(before.cutAfter, lived) : Number.POSITIVE_INFINITY,
  }
  if (state.cuts >= CUTS) return polling(state, at)
  return reconnecting({ ...state, failures: 1 }, at, backoff(0, chance))
}

function failed(before: Follow, at: number, chance: number, input: Input & { is: 'failed' }): Step {
  if (input.unreadable) return polling({ ...before, turns: STREAM_AGAIN_MS.length }, at)
  const failures = before.failures + 1
  const delay = Math.max(backoff(before.failures, chance), input.retryAfterMs ?? 0)
  // A poll that was cut while it waited is asked for less.
  const lived = at - before.since
  const cutShort = before.transport === 'polling' && before.connection === 'live' && lived > 1_000
  const pollSeconds = cutShort ? secondsWithin(Math.min(lived, before.pollSeconds * 1000)) : before.pollSeconds
  // Whoever cannot be reached at all says nothing about streams.
  return reconnecting({ ...before, failures, cuts: 0, pollSeconds }, at, delay)
}

/** Streams do not come through, so it is polled. */
function polling(before: Follow, at: number): Step {
  const again = STREAM_AGAIN_MS[Math.min(before.turns, STREAM_AGAIN_MS.length - 1)] ?? 0
  const state: Follow = {
    ...before,
    transport: 'polling',
    turns: before.turns + 1,
    cuts: 0,
    streamAgainAt: at + again,
    pollSeconds: secondsWithin(before.cutAfter),
    connection: 'reconnecting',
  }
  return connect(state, at)
}

/** A wait that ends before the connection would be cut. */
const secondsWithin = (milliseconds: number): number =>
  Math.max(1, Math.min(POLL_SECONDS, Math.floor((milliseconds * 0.8) / 1000)))

function reconnecting(before: Follow, at: number, delay: number): Step {
  const next = told(before, at - before.heardAt >= LOST_MS ? 'lost' : 'reconnecting')
  return wait(next.state, at, delay, [...next.effects, { do: 'disconnect' }])
}

/** Waits for the next try, with a heartbeat now and then. */
function wait(before: Follow, at: number, delay: number, effects: readonly Effect[]): Step {
  const state: Follow = { ...before, phase: 'waiting', attempt: before.attempt + 1, retryAt: at + delay }
  return timed(state, at, Math.min(delay, HEARTBEAT_MS), effects)
}

function rung(before: Follow, at: number, chance: number): Step {
  if (before.phase === 'paused') return { state: before, effects: [] }
  const slept = Math.abs(at - before.timerAt) > SLEPT_MS
  if (slept) return woken(before, at, true)
  if (before.phase === 'waiting') {
    if (at >= before.retryAt) return connect(before, at)
    return timed(before, at, Math.min(before.retryAt - at, HEARTBEAT_MS), [{ do: 'heartbeat' }])
  }
  if (before.phase === 'connecting') {
    // Headers without a byte, or nothing at all, again and again: what is between keeps streams to itself.
    if (before.transport === 'stream' && before.cuts + 1 >= CUTS) return polling(before, at)
    const { state, effects } = failed(before, at, chance, { is: 'failed', attempt: before.attempt })
    return { state: { ...state, cuts: before.cuts + 1 }, effects }
  }
  if (at - before.heardAt > SILENCE_MS) return reconnecting({ ...before, failures: 1, cuts: 0 }, at, 0)
  return timed(before, at, LOOK_MS, [])
}

/** A good moment to try: at once where nothing is open, and where what is open may be dead. */
function woken(before: Follow, at: number, isLate = false): Step {
  if (before.phase === 'paused') return { state: before, effects: [] }
  const silent = Math.abs(at - Math.max(before.heardAt, before.since)) > DOUBTFUL_MS
  if (before.phase !== 'waiting' && !silent)
    return isLate ? timed(before, at, LOOK_MS, []) : { state: before, effects: [] }
  // Another network perhaps, which lets streams through.
  const next = told(
    { ...before, failures: 0, streamAgainAt: at },
    before.connection === 'lost' ? 'lost' : 'reconnecting',
  )
  const connecting = connect(next.state, at)
  return { state: connecting.state, effects: [...next.effects, ...connecting.effects] }
}

function disconnected(before: Follow): Step {
  const state: Follow = { ...before, attempt: before.attempt + 1, connection: 'reconnecting' }
  return { state, effects: [{ do: 'disconnect' }] }
}

function timed(before: Follow, at: number, inMs: number, effects: readonly Effect[], connection?: Connection): Step {
  const next = connection === undefined ? { state: before, effects: [] } : told(before, connection)
  return {
    state: { ...next.state, timerAt: at + inMs },
    effects: [...effects, ...next.effects, { do: 'timer', inMs }],
  }
}

/** Tells a change of the connection, once. */
function told(before: Follow, connection: Connection): Step {
  const { transport } = before
  if (before.connection === connection) return { state: before, effects: [] }
  return { state: { ...before, connection }, effects: [{ do: 'tell', connection, transport }] }
}
