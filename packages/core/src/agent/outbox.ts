import type { MachineLoad } from '../machine/machine'
import type { Timers } from '../ports/clock'
import {
  MAX_BATCH_BYTES,
  MAX_KEPT_HINTS,
  MAX_OPEN_CALLS,
  MAX_SENT_HINTS,
  SEND_AGAIN_MS,
  SEND_TIMEOUT_MS,
} from './link-limits'
import type { AgentAnswer, ObservedBatch } from './protocol'

/** Result of a sent batch, as the service told it. */
export type SentBatch = 'taken' | 'repeated' | 'foreign'

interface Kept {
  readonly answer: AgentAnswer
  readonly bytes: number
}

/**
 * Unsent answers, hints and the load of one session that the service has not taken yet. One batch is sent at a time; meanwhile the next batch
 * collects. A batch that fails is sent again, unchanged, until the service took it or `close` is called.
 */
export class Outbox {
  private answers: Kept[] = []
  private kept = 0
  private keptBytes = 0
  private hints = new Set<string>()
  private load: MachineLoad | undefined
  private hasSign = false
  private number = 0
  private isSending = false
  private isClosed = false
  private cancel: (() => void) | undefined

  constructor(
    private readonly session: string,
    private readonly timers: Timers,
    private readonly send: (batch: ObservedBatch) => Promise<SentBatch>,
  ) {}

  /** Number of the answers that the service has not taken. */
  get size(): number {
    return this.kept
  }

  /** Bytes of these answers as JSON. */
  get bytes(): number {
    return this.keptBytes
  }

  /** Adds an answer of this number of bytes. */
  add(answer: AgentAnswer, bytes: number): void {
    this.answers.push({ answer, bytes })
    this.kept++
    this.keptBytes += bytes
    this.wake()
  }

  /** Adds a hint, which is sent once. */
  hint(instanceId: string): void {
    if (this.hints.size >= MAX_KEPT_HINTS) this.hints = new Set([''])
    this.hints.add(instanceId)
    this.wake()
  }

  /** Sends the load, or without a load an empty batch as a sign of life. */
  report(load: MachineLoad | undefined): void {
    this.load = load
    this.hasSign = true
    this.wake()
  }

  /** Ends the session: nothing more is sent. */
  close(): void {
    this.isClosed = true
    this.cancel?.()
    this.answers = []
    this.hints.clear()
  }

  /** Begins to send unless a batch is under way. Answers of the same moment share a batch. */
  private wake(): void {
    if (this.isSending || this.isClosed) return
    this.isSending = true
    void Promise.resolve().then(() => this.sendNext())
  }

  private sendNext(): void {
    if (this.isClosed) return
    if (this.answers.length === 0 && this.hints.size === 0 && !this.hasSign) {
      this.isSending = false
      return
    }
    const taken = this.takeAnswers()
    const hints = [...this.hints].slice(0, MAX_SENT_HINTS)
    for (const hint of hints) this.hints.delete(hint)
    const batch: ObservedBatch = {
      session: this.session,
      number: ++this.number,
      answers: taken.map(({ answer }) => answer),
      hints,
      ...(this.load === undefined ? {} : { load: this.load }),
    }
    this.load = undefined
    this.hasSign = false
    this.attempt(batch, SEND_AGAIN_MS.first, () => {
      this.kept -= taken.length
      for (const { bytes } of taken) this.keptBytes -= bytes
      this.sendNext()
    })
  }

  private takeAnswers(): Kept[] {
    let bytes = 0
    const past = this.answers.findIndex((one, at) => {
      bytes += one.bytes
      return at > 0 && (bytes > MAX_BATCH_BYTES || at >= MAX_OPEN_CALLS)
    })
    return this.answers.splice(0, past === -1 ? this.answers.length : past)
  }

  /** Sends a batch until the service took it. A try that has no result in time counts as failed. */
  private attempt(batch: ObservedBatch, againMs: number, taken: () => void): void {
    let isOver = false
    const end = (result: SentBatch | 'failed') => {
      if (isOver || this.isClosed) return
      isOver = true
      this.cancel?.()
      if (result === 'foreign') return this.close()
      if (result !== 'failed') return taken()
      const nextMs = Math.min(2 * againMs, SEND_AGAIN_MS.longest)
      this.cancel = this.timers.after(againMs, () => this.attempt(batch, nextMs, taken))
    }
    this.cancel = this.timers.after(SEND_TIMEOUT_MS, () => end('failed'))
    const failed = () => end('failed')
    try {
      this.send(batch).then(end, failed)
    } catch {
      failed()
    }
  }
}
