import type { MachineLoad } from '../machine/machine'
import type { Timers } from '../ports/clock'
import type { Hints } from './hints'
import { MAX_BATCH_BYTES, MAX_OPEN_CALLS, MAX_SENT_HINTS, SEND_AGAIN_MS, SEND_TIMEOUT_MS } from './link-limits'
import type { AgentAnswer, ObservedBatch } from './protocol'

/** Result of a sent batch, as the service told it. */
export type SentBatch = 'taken' | 'repeated' | 'foreign'

interface Kept {
  readonly answer: AgentAnswer
  readonly bytes: number
}

/**
 * Outgoing answers, hints and load of one session that the service has not taken yet. One batch is sent at a time; meanwhile the next batch
 * collects. A batch that fails is sent again, unchanged, until the service took it or `close` is called.
 */
export class Outbox {
  private answers: Kept[] = []
  private kept = 0
  private keptBytes = 0
  private load: MachineLoad | undefined
  private hasSign = false
  private number = 0
  private isSending = false
  private isClosed = false
  private cancel: (() => void) | undefined
  /** Batch that the service has not taken. */
  private open: ObservedBatch | undefined

  constructor(
    private readonly session: string,
    private readonly timers: Timers,
    private readonly hints: Hints,
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

  /** Sends the load, or without a load an empty batch as a sign of life. */
  report(load: MachineLoad | undefined): void {
    this.load = load
    this.hasSign = true
    this.wake()
  }

  /** Ends the session: nothing more is sent. Hints that the service has not taken are kept for the next session. */
  close(): void {
    this.isClosed = true
    this.cancel?.()
    this.answers = []
    for (const hint of this.open?.hints ?? []) this.hints.add(hint)
    this.open = undefined
  }

  /** Begins to send unless a batch is under way. Answers of the same moment share a batch. */
  wake(): void {
    if (this.isSending || this.isClosed) return
    this.isSending = true
    void Promise.resolve().then(() => this.sendNext())
  }

  private sendNext(): void {
    if (this.isClosed) return
    if (this.answers.length === 0 && this.hints.isEmpty && !this.hasSign) {
      this.isSending = false
      return
    }
    const taken = this.takeAnswers()
    const hints = this.hints.take(MAX_SENT_HINTS)
    const batch: ObservedBatch = {
      session: this.session,
      number: ++this.number,
      answers: taken.map(({ answer }) => answer),
      hints,
      ...(this.load === undefined ? {} : { load: this.load }),
    }
    this.load = undefined
    this.hasSign = false
    this.open = batch
    this.attempt(batch, SEND_AGAIN_MS.first, () => {
      this.open = undefined
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
