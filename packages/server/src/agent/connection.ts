import type { AgentHands, Logger, Random, Timers } from '@matchyard/core/ports'
import { type AgentEvent, type BegunSession, readAgentEvent } from '@matchyard/http'
import { EventReader } from './event-reader'
import { NoSuccess, type ServiceCalls } from './service-calls'

/** Milliseconds until the next try after a failure: the first wait, which doubles up to the longest. */
const FIRST_WAIT_MS = 100
const LONGEST_WAIT_MS = 5_000
/** Milliseconds until the next try after a refusal that only an operator can end: a wrong token, or another live agent. */
const REFUSED_WAIT_MS = 30_000
/** Milliseconds within which the stream must begin. */
const OPEN_WITHIN_MS = 15_000
/** Number of heartbeats of the service without a byte after which the connection counts as dead. */
const SILENT_HEARTBEATS = 2.5
/** Milliseconds after which a stream counts as working, so that the next wait is short again. */
const WORKING_MS = 5_000
/** Number of batches in a row without success after which the stream is opened anew. */
const MAX_FAILED_BATCHES = 5

export interface ConnectionOptions {
  readonly calls: Pick<ServiceCalls, 'openStream'>
  readonly hands: Pick<AgentHands, 'begin' | 'hear' | 'end'>
  /** Properties of the agent, as the header of the stream. */
  readonly facts: string
  readonly timers: Timers
  readonly random: Random
  readonly logger: Logger
  /** Called when a stream has begun. */
  readonly onJoined: (session: BegunSession) => void
}

/** Keeps the stream of the service open: opens it, passes its calls to the hands, and opens it again when it ends. */
export class Connection {
  private stream: AbortController | undefined
  private wake = () => {}
  private isStopped = false
  private waitMs = FIRST_WAIT_MS
  private failedBatches = 0
  private told = ''

  constructor(private readonly options: ConnectionOptions) {}

  /** Runs until `stop`. */
  async run(): Promise<void> {
    while (!this.isStopped) {
      const waitMs = await this.once()
      if (!this.isStopped) await this.pause(waitMs)
    }
  }

  /** Ends the stream, and opens no other. */
  stop(): void {
    this.isStopped = true
    this.stream?.abort()
    this.wake()
  }

  /** Opens the stream anew, because the service does not know its session. */
  renew(): void {
    this.stream?.abort()
  }

  /** Notes whether the service took a batch. After several failures, the stream is opened anew. */
  noteBatch(isTaken: boolean): void {
    this.failedBatches = isTaken ? 0 : this.failedBatches + 1
    if (this.failedBatches < MAX_FAILED_BATCHES) return
    this.failedBatches = 0
    this.renew()
  }

  /** Opens the stream and reads it to its end. Returns the milliseconds until the next try. */
  private async once(): Promise<number> {
    const stream = new AbortController()
    this.stream = stream
    const watch = new Watch(this.options.timers, () => stream.abort())
    watch.within(OPEN_WITHIN_MS)
    let begunFor: (() => boolean) | undefined
    try {
      const response = await this.options.calls.openStream(this.options.facts, stream.signal)
      await this.read(response, watch, () => {
        begunFor = this.workingSoon()
      })
      this.tell('the stream of the service ended', 'debug')
    } catch (error) {
      if (this.isStopped) return 0
      if (error instanceof NoSuccess) return this.waitAfter(error)
      this.tell(`the stream of the service broke off: ${error instanceof Error ? error.message : error}`)
    } finally {
      watch.end()
      stream.abort()
      this.stream = undefined
      this.options.hands.end()
    }
    if (begunFor?.() === true) this.waitMs = FIRST_WAIT_MS
    return this.nextWait()
  }

  private async read(response: Response, watch: Watch, onBegin: () => void): Promise<void> {
    const decoder = new TextDecoder()
    let silenceMs = OPEN_WITHIN_MS
    let isOver = false
    const reader = new EventReader((name, data) => {
      const event = readAgentEvent(name, data)
      if (event?.event === 'session') {
        silenceMs = SILENT_HEARTBEATS * event.session.heartbeatMs
        onBegin()
      }
      if (event !== undefined) isOver = this.take(event) || isOver
    })
    for await (const chunk of response.body ?? []) {
      reader.feed(decoder.decode(chunk, { stream: true }))
      if (isOver) return
      watch.within(silenceMs)
    }
  }

  /** Takes an event. Returns whether the stream is over. */
  private take(event: AgentEvent): boolean {
    const { hands, onJoined, logger } = this.options
    if (event.event === 'call') hands.hear(event.call)
    else if (event.event === 'session') {
      this.failedBatches = 0
      this.told = ''
      hands.begin(event.session.session)
      onJoined(event.session)
    } else {
      logger.info(`the service ended the stream of this agent: ${event.reason}`)
      // An agent with the same id has taken the place of this one. Without a wait, both would take it in turns.
      if (event.reason === 'replaced') this.waitMs = LONGEST_WAIT_MS
      return true
    }
    return false
  }

  private workingSoon(): () => boolean {
    let isWorking = false
    const cancel = this.options.timers.after(WORKING_MS, () => {
      isWorking = true
    })
    return () => {
      cancel()
      return isWorking
    }
  }

  private waitAfter({ status, message, retryAfterMs }: NoSuccess): number {
    if (status === 401) this.tell(`the service does not accept the token of this machine: ${message}`)
    else if (status === 409) this.tell(`the service refuses this agent: ${message}`)
    else if (status === 404)
      this.tell(`the service is not reached: ${message}; MATCHYARD_URL must be the address of a Matchyard service`)
    else this.tell(`the service is not reached: ${message}`)
    if (status === 401 || status === 403 || status === 409) return REFUSED_WAIT_MS
    return Math.max(retryAfterMs, this.nextWait())
  }

  private nextWait(): number {
    const { waitMs } = this
    this.waitMs = Math.min(2 * waitMs, LONGEST_WAIT_MS)
    // From half of the wait to the whole wait, so that many agents do not come back at the same time.
    return Math.ceil(waitMs / 2) + this.options.random.int(Math.ceil(waitMs / 2))
  }

  /** Logs a sentence, unless it was the last one. */
  private tell(sentence: string, level: 'warn' | 'debug' = 'warn'): void {
    if (sentence === this.told || this.isStopped) return
    this.told = sentence
    this.options.logger[level](sentence)
  }

  private pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.options.timers.after(ms, () => resolve())
      this.wake = () => {
        cancel()
        resolve()
      }
    })
  }
}

/** Timer that starts again with each sign of life. */
class Watch {
  private cancel = () => {}

  constructor(
    private readonly timers: Timers,
    private readonly onSilence: () => void,
  ) {}

  within(ms: number): void {
    this.cancel()
    this.cancel = this.timers.after(ms, this.onSilence)
  }

  end(): void {
    this.cancel()
  }
}
