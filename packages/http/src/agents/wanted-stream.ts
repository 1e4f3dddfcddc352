import type { AgentEnd, EventStream, WantedCall } from '@matchyard/core'
import { type BegunSession, writtenSession } from '../wire/agent'

/** Maximum calls, and maximum bytes of calls, that wait for an agent. Above them its stream ends, and the agent connects again. */
export const AGENT_BACKLOG = { calls: 2_048, bytes: 32 * 1024 * 1024 } as const

/** Event of an agent's stream, in the form in which it is sent. */
export interface AgentMessage {
  readonly event: 'session' | 'call' | 'end'
  /** Object that stands for the event; no other reader gets it. */
  readonly source: object
  readonly data: object
  /** Bytes of the data as JSON. */
  readonly bytes: number
}

const utf8 = new TextEncoder()

/**
 * Stream of calls for one agent. Its first event names the session. Calls that are sent before that event wait for it.
 * A call is never left out: an agent that does not read its calls loses its stream, and gets all calls without an
 * answer again.
 */
export class WantedStream implements EventStream<AgentMessage> {
  readonly projectId = ''
  readonly keyId = undefined
  readonly lags = false
  /** Whether the stream ended because too many calls waited for the agent. */
  dropped = false
  private readonly waiting: AgentMessage[] = []
  private bytes = 0
  private hasBegun = false
  private isClosed = false
  private last: AgentMessage | undefined
  private wake: (() => void) | undefined
  private readonly cleanups: (() => void)[] = []

  constructor(readonly readerId: string) {}

  get isOver(): boolean {
    return this.isClosed && this.last === undefined
  }

  /** Sends the event that names the session, before all calls. */
  begin(begun: BegunSession): void {
    this.waiting.unshift(messageOf('session', writtenSession(begun)))
    this.hasBegun = true
    this.awake()
  }

  /** Sends a call. Returns false when the stream has ended, or ends because too many calls wait. */
  send(call: WantedCall): boolean {
    if (this.isClosed) return false
    const message = messageOf('call', call)
    const { bytes } = message
    if (this.waiting.length >= AGENT_BACKLOG.calls || this.bytes + bytes > AGENT_BACKLOG.bytes) {
      this.dropped = true
      this.close()
      return false
    }
    this.bytes += bytes
    this.waiting.push(message)
    this.awake()
    return true
  }

  /** Ends the stream with an event that names the reason. Calls that wait are not sent. */
  finish(reason: AgentEnd): void {
    if (this.isClosed) return
    this.last = messageOf('end', { reason })
    this.close()
  }

  async next(): Promise<AgentMessage | undefined> {
    while (!this.isClosed && (!this.hasBegun || this.waiting.length === 0)) {
      await new Promise<void>((resolve) => {
        this.wake = resolve
      })
    }
    if (this.isClosed) {
      const { last } = this
      this.last = undefined
      return last
    }
    const message = this.waiting.shift()
    if (message?.event === 'call') this.bytes -= message.bytes
    return message
  }

  async fill(): Promise<void> {}

  waits(): void {}

  goesOn(): void {}

  close(): void {
    if (this.isClosed) return
    this.isClosed = true
    this.waiting.length = 0
    this.bytes = 0
    this.awake()
    for (const cleanup of this.cleanups.splice(0)) cleanup()
  }

  onEnd(cleanup: () => void): void {
    if (this.isClosed) cleanup()
    else this.cleanups.push(cleanup)
  }

  private awake(): void {
    this.wake?.()
    this.wake = undefined
  }
}

function messageOf(event: AgentMessage['event'], data: object): AgentMessage {
  return { event, source: data, data, bytes: utf8.encode(JSON.stringify(data)).byteLength }
}
