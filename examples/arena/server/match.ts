import type { GameServer, Player } from '@matchyard/client/game-server'
import type { WebSocket } from 'ws'
import type { ToPage, ToServer } from '../game/protocol'
import { HUES, TICKS_PER_SECOND } from '../game/rules'
import { World } from '../game/world'
import { Round, resultsOf } from './round'
import { Seat } from './seat'

/** Settings of this game in the queue and the lobbies. */
export interface ArenaShape {
  readonly customData: { readonly seconds?: number; readonly grace_seconds?: number }
  readonly state: { readonly name?: string; readonly hue?: number }
}

const SECONDS = 60
/** Seconds for which a seat is kept; a reloaded page is back earlier. */
const GRACE_SECONDS = 3
/** Last share of the match in which no newcomers are requested. */
const LAST_CALL_SHARE = 1 / 4
const NAME_LENGTH = 16
/** Milliseconds after which a match without any connected player ends. */
const DESERTED_MS = 20_000
/** Milliseconds for the last message to arrive before the process ends. */
const FAREWELL_MS = 400

/** The match of this process: its seats, the messages to its players, and its calls to Matchyard. */
export class ArenaMatch {
  private readonly seats = new Map<string, Seat>()
  private readonly world = new World()
  private readonly round: Round
  private readonly seconds: number
  private readonly graceMs: number
  private desertedAt = Date.now()
  private isClosed = false

  constructor(private readonly server: GameServer<ArenaShape>) {
    const { seconds = SECONDS, grace_seconds = GRACE_SECONDS } = server.customData
    this.seconds = seconds
    this.graceMs = grace_seconds * 1_000
    this.round = new Round(this.world, seconds)
    for (const player of server.teams.flatMap(({ players }) => players)) this.seat(player)
    server.on('match_updated', ({ joined, left }) => {
      for (const player of joined) this.seat(player)
      for (const { playerId } of left) this.vacate(playerId)
      this.tellRoster()
    })
    server.on('stopping', () => this.sendAll({ type: 'over', results: this.results() }))
  }

  /** Takes a new connection of a page. The first message must be `join`. */
  connect(socket: WebSocket): void {
    let seat: Seat | undefined
    socket.on('error', () => socket.terminate())
    socket.on('message', (data) => {
      const message = parsed(String(data))
      if (message === undefined) return
      if (message.type === 'join' && seat === undefined) seat = this.join(socket, message.token)
      else if (message.type === 'input') seat?.hear(message.seq, message)
    })
    socket.on('close', () => {
      if (seat !== undefined && seat.socket === socket) this.away(seat)
    })
  }

  /** Runs one tick; the process calls it repeatedly. */
  tick(): void {
    const seats = [...this.seats.values()]
    const isComplete = seats.length > 0 && seats.every(({ isHere }) => isHere)
    if (this.round.step(seats, isComplete)) this.turned()
    if (this.round.phase === 'playing' && this.round.leftShare < LAST_CALL_SHARE) this.lastCall()
    this.tellAll(seats)
    if (seats.some(({ isHere }) => isHere)) this.desertedAt = Date.now()
    else if (Date.now() - this.desertedAt > DESERTED_MS) void this.server.shutdown()
  }

  private join(socket: WebSocket, token: string): Seat | undefined {
    const who = this.server.verify(token)
    if (!who.ok) {
      socket.send(JSON.stringify({ type: 'refused', reason: who.reason } satisfies ToPage))
      socket.close(4_001, who.reason)
      return undefined
    }
    // Without Matchyard, or when a newcomer connects before the event about them, the seat does not exist yet.
    const { playerId, team, role } = who
    const seat = this.seats.get(playerId) ?? this.seat({ playerId, team, role, lobbyId: '', state: {} })
    seat.connect(socket)
    if (!this.world.balls.has(seat.n)) this.world.add(seat.n)
    seat.say({ type: 'welcome', n: seat.n, seconds: this.seconds })
    this.tellRoster()
    return seat
  }

  private seat({ playerId, state }: Player<ArenaShape['state']>): Seat {
    const known = this.seats.get(playerId)
    const taken = new Set([...this.seats.values()].map(({ n }) => n))
    const n = known?.n ?? firstFree(taken)
    const name = String(state.name ?? known?.name ?? playerId).slice(0, NAME_LENGTH)
    if (known !== undefined) {
      // A newcomer who connected before the event gets the name from it.
      known.name = name
      return known
    }
    const seat = new Seat(n, playerId, name, HUES[n % HUES.length] ?? 0)
    this.seats.set(playerId, seat)
    return seat
  }

  /** Starts the grace period of a disconnected player: a reloaded page comes back. */
  private away(seat: Seat): void {
    seat.socket = undefined
    this.tellRoster()
    if (this.round.phase === 'over') return
    seat.leaving = setTimeout(() => {
      this.vacate(seat.playerId)
      this.tellRoster()
      this.server.playerLeft(seat.playerId).then(() => this.askForMore(), report('a player who left'))
    }, this.graceMs)
  }

  private vacate(playerId: string): void {
    const seat = this.seats.get(playerId)
    if (seat === undefined) return
    clearTimeout(seat.leaving)
    this.seats.delete(playerId)
    this.world.remove(seat.n)
    seat.socket?.close(4_002, 'you have left')
  }

  private turned(): void {
    if (this.round.phase === 'countdown') this.askForMore()
    if (this.round.phase !== 'over') return
    this.sendAll({ type: 'over', results: this.results() })
    setTimeout(() => void this.server.shutdown(), FAREWELL_MS)
  }

  /** Requests newcomers for the open seats; a searching player then plays at once. */
  private askForMore(): void {
    if (this.isClosed || this.round.phase === 'over') return
    const timeoutSeconds = Math.max(5, Math.ceil(this.seconds))
    this.server.backfill({ timeoutSeconds }).catch(report('a request for newcomers'))
  }

  private lastCall(): void {
    if (this.isClosed) return
    this.isClosed = true
    this.server.close().catch(report('the last call'))
  }

  private results() {
    return resultsOf([...this.seats.values()], this.world.scores())
  }

  private tellRoster(): void {
    const contestants = [...this.seats.values()].map(({ n, playerId, name, hue, isHere }) => {
      return { n, playerId, name, hue, here: isHere }
    })
    this.sendAll({ type: 'roster', contestants })
  }

  private tellAll(seats: readonly Seat[]): void {
    const { tick, phase, leftMs } = this.round
    const balls = this.world.rows()
    const [shards, happened] = [this.world.shardRows(), this.world.takeHappened()]
    // The part of the snapshot that is equal for all players is serialized once.
    const common = JSON.stringify({ type: 'snapshot', tick, phase, leftMs, balls, shards, happened }).slice(1)
    for (const seat of seats) seat.send(`{"ack":${seat.ack},${common}`)
  }

  private sendAll(message: ToPage): void {
    const text = JSON.stringify(message)
    for (const seat of this.seats.values()) seat.send(text)
  }
}

/**
 * Calls `step` once per tick. Late ticks are caught up, so that a minute lasts a minute; after a long pause (a sleeping
 * laptop) the game continues from its last state.
 */
export function everyTick(step: () => void): void {
  const every = 1_000 / TICKS_PER_SECOND
  let due = performance.now()
  setInterval(() => {
    const now = performance.now()
    if (now - due > 500) due = now
    for (; due <= now; due += every) step()
  }, every / 4)
}

const firstFree = (taken: ReadonlySet<number>): number => {
  for (let n = 0; ; n++) if (!taken.has(n)) return n
}

const report = (what: string) => (error: unknown) => console.error(`${what}: ${String(error)}`)

/** Returns the message of a page; undefined for any other text. */
function parsed(text: string): ToServer | undefined {
  try {
    const message = JSON.parse(text)
    if (message?.type === 'join' && typeof message.token === 'string') return message
    const { type, seq, x, y, dash } = message ?? {}
    if (type !== 'input' || !Number.isSafeInteger(seq) || !Number.isFinite(x) || !Number.isFinite(y)) return undefined
    return { type, seq, x: Math.max(-1, Math.min(1, x)), y: Math.max(-1, Math.min(1, y)), dash: dash === true }
  } catch {
    return undefined
  }
}
