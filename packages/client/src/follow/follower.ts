import type { Lobby } from '../api/types'
import { type Calls, isPassing } from '../calls/calls'
import type { Identity } from '../calls/identity'
import { isMatchyardError, type MatchyardError } from '../errors'
import type { Platform } from '../platform'
import { eventParser } from './event-parser'
import { beginning, type Connection, type Effect, type Follow, type Input, step, type Transport } from './machine'

/** How long what was missed between two polls is read from the log. */
const REPLAY_MS = 5_000
/** So often, then the lobby is shown as it is. */
const REPLAYS = 5

/** Who is told what is followed. */
export interface Sink {
  /** The next version of the lobby: each once, and in order. */
  lobby(next: Lobby, isLast: boolean): void
  /** The lobby cannot be followed any more; without an error where it is over. */
  gone(error?: MatchyardError): void
  connection(now: Connection, transport: Transport): void
}

export interface FollowerOptions {
  readonly calls: Calls
  readonly identity: Identity
  readonly platform: Platform
  /** Of the lobby, from the root of the service. */
  readonly path: string
  /** The version that is known already; 0 for none. */
  readonly version: number
  readonly transport: Transport
  readonly sink: Sink
}

/** Does what the machine says: holds the one connection of a lobby, and hands on what comes. */
export class Follower {
  private state: Follow
  private version: number
  private readonly inputs: Input[] = []
  private working = false
  /** Whether anything has ever come by a stream here. */
  private streams = false
  /** How often in a row what was missed could not be had. */
  private fruitless = 0
  private open = new AbortController()
  private callOff = () => {}

  constructor(private readonly options: FollowerOptions) {
    this.version = options.version
    this.state = beginning(options.platform.now(), options.transport)
  }

  get connection(): Connection {
    return this.state.connection
  }

  get transport(): Transport {
    return this.state.transport
  }

  /** One after the other: what a listener asks for in the midst of one comes after it. */
  input(input: Input): void {
    this.inputs.push(input)
    if (this.working) return
    this.working = true
    const { platform } = this.options
    for (let next = this.inputs.shift(); next !== undefined; next = this.inputs.shift()) {
      const { state, effects } = step(this.state, next, platform.now(), platform.random())
      this.state = state
      if (state.phase === 'closed' || state.phase === 'paused') this.callOff()
      for (const effect of effects) this.run(effect)
    }
    this.working = false
  }

  /** A version that was learned otherwise: told at once if it is the next one, else in its turn. */
  offer(lobby: Lobby): void {
    if (lobby.version === this.version + 1 && this.state.phase !== 'closed') this.take(lobby, 'lobby_updated')
  }

  private run(effect: Effect): void {
    const { calls, platform, path, sink } = this.options
    if (effect.do === 'disconnect') this.open.abort()
    else if (effect.do === 'tell') sink.connection(effect.connection, effect.transport)
    else if (effect.do === 'heartbeat') void calls.once({ method: 'POST', path: `${path}/heartbeat` }).catch(() => {})
    else if (effect.do === 'timer') {
      this.callOff()
      this.callOff = platform.after(effect.inMs, () => this.input({ is: 'timer' }))
    } else {
      this.open = new AbortController()
      const { attempt, waitSeconds } = effect
      const connecting =
        effect.transport === 'stream'
          ? this.stream(attempt, this.open.signal)
          : this.poll(attempt, waitSeconds, this.open.signal)
      connecting.catch((error: unknown) => this.fault(attempt, error))
    }
  }

  /** Reads a stream to its end. */
  private async stream(attempt: number, signal: AbortSignal): Promise<void> {
    const asked = this.version
    let retries = 0
    let comeBackMs: number | undefined
    const isOver = await this.read(signal, {
      bytes: () => this.input({ is: 'heard', attempt }),
      // The first is said to everybody, a later one by a service that goes away.
      retry: (ms) => {
        if (retries++ > 0) comeBackMs = ms
      },
      event: (name, lobby) => {
        comeBackMs = undefined
        if (attempt === this.state.attempt) this.take(lobby, name, asked)
      },
    })
    if (attempt !== this.state.attempt) return
    if (isOver) this.options.sink.gone()
    else this.input({ is: 'ended', attempt, comeBackMs })
  }

  /** Asks once; what lies between two answers is read from the lobby's log. */
  private async poll(attempt: number, waitSeconds: number, signal: AbortSignal): Promise<void> {
    const { calls, path, sink } = this.options
    const asked = this.version
    const query = `?after_version=${asked}&wait=${waitSeconds}`
    const isCurrent = () => attempt === this.state.attempt
    try {
      const response = await calls.open({ method: 'GET', path: path + query }, signal)
      const text = await response.text()
      if (!isCurrent()) return
      if (text !== '') {
        const lobby = JSON.parse(text) as Lobby
        if (this.isBehind(lobby)) await this.replay(signal, isCurrent)
        if (!isCurrent()) return
        if (this.isBehind(lobby) && this.fruitless < REPLAYS) throw new Error('what was missed did not come')
        if (this.streams) this.fruitless = 0
        this.take(lobby, 'connected', asked)
      }
    } catch (error) {
      if (!isMatchyardError(error, 'LOBBY_NOT_FOUND') || !isCurrent()) throw error
      // Its last event is kept for an hour.
      await this.replay(signal, isCurrent)
      if (isCurrent()) sink.gone()
    }
    this.input({ is: 'answered', attempt })
  }

  /** Whether versions lie between, and can be had: not where no stream has ever come through, however often it was tried. */
  private isBehind({ version }: Lobby): boolean {
    const canReplay = this.streams || this.fruitless < REPLAYS
    return canReplay && this.version > 0 && version > this.version + 1
  }

  /** What the log has after the known version; as much of it as comes in time. */
  private async replay(signal: AbortSignal, isCurrent: () => boolean): Promise<void> {
    const abort = new AbortController()
    const stop = () => abort.abort()
    signal.addEventListener('abort', stop)
    // Silence is a way that keeps streams to itself; what is cut or refused is bad weather more often.
    const silent = () => {
      this.fruitless += 3 / 4
      stop()
    }
    let quiet = this.options.platform.after(REPLAY_MS, silent)
    const event = (name: string, lobby: Lobby) => {
      if (!isCurrent()) return stop()
      this.take(lobby, name)
    }
    const known = this.version
    try {
      await this.read(abort.signal, {
        event,
        retry: () => {},
        // All that was missed comes in one go.
        bytes: () => {
          if (this.version === known) return
          quiet()
          quiet = this.options.platform.after(REPLAY_MS / 10, stop)
        },
      })
    } catch {
      if (this.version === known) this.fruitless += 1 / 4
    } finally {
      quiet()
      signal.removeEventListener('abort', stop)
    }
  }

  /** Reads an event stream until it ends; answers whether the service says that nothing more will ever come. */
  private async read(signal: AbortSignal, on: Reader): Promise<boolean> {
    const { calls, path } = this.options
    const headers: Record<string, string> = this.version > 0 ? { 'last-event-id': String(this.version) } : {}
    const response = await calls.open({ method: 'GET', path: `${path}/events`, headers }, signal)
    if (response.status === 204) return true
    if (!response.body) throw UNREADABLE
    const reader = (response.body as ReadableStream<Uint8Array>).getReader()
    const parse = eventParser({ event: (name, data) => on.event(name, JSON.parse(data) as Lobby), retry: on.retry })
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return false
      this.streams = true
      parse(value)
      on.bytes()
    }
  }

  /** `asked`: the version that was known when it was asked. */
  private take(lobby: Lobby, name: string, asked = this.version): void {
    const isLast = name === 'lobby_deleted'
    // A service that shows an older lobby than the one it was asked about was restored from a backup. Whatever else is older was heard.
    const isBack = name === 'connected' && lobby.version < asked
    if (!isBack && !isLast && lobby.version <= this.version) return
    this.version = lobby.version
    this.options.sink.lobby(lobby, isLast)
  }

  private fault(attempt: number, error: unknown): void {
    if (attempt !== this.state.attempt) return
    if (error === UNREADABLE) this.input({ is: 'failed', attempt, unreadable: true })
    else if (isMatchyardError(error) && isFinal(error) && !this.options.identity.renews(error)) {
      this.options.sink.gone(error)
    } else if (this.state.phase === 'open') this.input({ is: 'ended', attempt })
    else this.input({ is: 'failed', attempt, retryAfterMs: isMatchyardError(error) ? error.retryAfterMs : undefined })
  }
}

/** A refusal that stands however often it is asked. What is no word of the service's may be gone at the next try. */
const isFinal = (error: MatchyardError): boolean =>
  !isPassing(error) && error.code !== 'INTERNAL' && error.code !== 'UNEXPECTED_ANSWER'

const UNREADABLE = new Error('this runtime cannot read a stream')

interface Reader {
  bytes(): void
  retry(milliseconds: number): void
  event(name: string, lobby: Lobby): void
}
