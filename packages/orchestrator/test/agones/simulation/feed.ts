import type { OpenStream } from '../../../src/agones/testing/kubernetes/requests'

interface Step {
  readonly chunk?: Buffer
  readonly error?: Error
}

/** A stream of lines on its way to a reader. The lines arrive in order, each in two chunks. */
export class Feed implements OpenStream, AsyncIterable<Buffer> {
  private readonly arrived: Step[] = []
  private sent: Step[] = []
  private wake: (() => void) | undefined
  private isHeld = false
  private isOver = false

  constructor(
    private readonly later: (work: () => void) => void,
    private readonly closed: () => void,
  ) {}

  send(line: object | string): void {
    const text = Buffer.from(typeof line === 'string' ? line : `${JSON.stringify(line)}\n`)
    const half = text.length >> 1
    this.push({ chunk: text.subarray(0, half) })
    this.push({ chunk: text.subarray(half) })
  }

  end(): void {
    this.push({})
  }

  cut(): void {
    this.push({ error: new Error('the stream was cut') })
  }

  /** Holds back all chunks until `resume`. */
  hold(): void {
    this.isHeld = true
  }

  resume(): void {
    if (!this.isHeld) return
    this.isHeld = false
    if (this.sent.length > 0) this.later(() => this.deliver())
  }

  /** Fails the stream; the chunks that have not arrived are lost. */
  fail(words: string): void {
    if (this.isOver) return
    this.sent = []
    this.isHeld = false
    this.arrive({ error: new Error(words) })
  }

  /** Ends the stream for a reader that is gone. */
  abandon(): void {
    if (this.isOver) return
    this.isOver = true
    this.sent = []
    this.closed()
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Buffer> {
    for (;;) {
      const step = this.arrived.shift()
      if (step?.error !== undefined) throw step.error
      if (step?.chunk !== undefined) yield step.chunk
      else if (step !== undefined) return
      else
        await new Promise<void>((resolve) => {
          this.wake = resolve
        })
    }
  }

  private push(step: Step): void {
    if (this.isOver) return
    this.sent.push(step)
    if (this.sent.length === 1 && !this.isHeld) this.later(() => this.deliver())
  }

  private deliver(): void {
    if (this.isHeld) return
    for (const step of this.sent.splice(0)) this.arrive(step)
  }

  private arrive(step: Step): void {
    if (this.isOver) return
    this.arrived.push(step)
    if (step.chunk === undefined) {
      this.isOver = true
      this.closed()
    }
    this.wake?.()
  }
}
