import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { AnswersUnderWay } from '@matchyard/http'
import type { Connection, Connections } from './connections'

/** Between looks at what is still in hand. */
const LOOK_EVERY_MS = 20
/** A connection used so recently is about to be used again, and gets one more answer. */
const BUSY_MS = 300
/** The door closes once nobody has come through it between so many looks, at the latest after the time. */
const STILL_LOOKS = 3
const STILL_AT_THE_LATEST_MS = 1_000

/**
 * Lets a server go without cutting anybody off. A caller on a kept connection cannot know that the service is on its way out
 * before it is told, so each answer says `connection: close`, and the door stays open until everybody who was calling has had
 * one. A load balancer learns it from `/readyz` meanwhile.
 */
export class Drain {
  private readonly answers = new AnswersUnderWay()
  private draining = false
  private held: (() => void)[] | undefined

  constructor(
    private readonly server: Server,
    private readonly connections: Connections,
  ) {
    // This listener runs before the handler of the request.
    server.prependListener('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
      this.answers.add(socket, response)
      if (this.draining) response.shouldKeepAlive = false
    })
  }

  /**
   * Promise that a request waits for before its start: undefined, except while the listener closes. Answered callers would return at once, and
   * connections that the system has accepted but the service has not would be cut.
   */
  turn(): Promise<void> | undefined {
    if (this.held === undefined) return undefined
    const { held } = this
    return new Promise((resolve) => held.push(resolve))
  }

  /** Answers all calls, then closes the listener; remaining connections are cut after `graceMs`. */
  async close(graceMs: number): Promise<void> {
    const { server, answers } = this
    const { open } = this.connections
    const until = performance.now() + graceMs
    this.draining = true
    for (const response of answers) if (!response.headersSent) response.shouldKeepAlive = false
    const before = [...open]
    const isBusy = ([socket, { inHand, usedAt }]: [Socket, Connection]) =>
      open.has(socket) && (inHand > 0 || performance.now() - usedAt < BUSY_MS)
    await this.wait(until, () => !before.some(isBusy))
    await this.closeDoor(until)
    let isClosed = false
    const closed = new Promise<void>((resolve) => server.close(() => resolve())).then(() => {
      isClosed = true
    })
    server.closeIdleConnections()
    this.letIn()
    await this.wait(until, () => {
      this.closeSilent()
      return isClosed
    })
    server.closeAllConnections()
    await closed
  }

  /**
   * Node calls no connection idle on which nothing was ever said, and waits for its headers. Browsers and `fetch` open such ahead: after
   * a stream that was cut off, above all.
   */
  private closeSilent(): void {
    for (const [socket, { usedAt }] of this.connections.open) {
      if (socket.bytesRead === 0 && performance.now() - usedAt >= BUSY_MS) socket.destroy()
    }
  }

  private async closeDoor(until: number): Promise<void> {
    this.held = []
    const latest = Math.min(until, performance.now() + STILL_AT_THE_LATEST_MS)
    let [still, came] = [0, this.connections.came]
    await this.wait(latest, () => {
      still = came === this.connections.came ? still + 1 : 0
      came = this.connections.came
      return still >= STILL_LOOKS
    })
  }

  private letIn(): void {
    const held = this.held ?? []
    this.held = undefined
    for (const begin of held) begin()
  }

  private async wait(until: number, done: () => boolean): Promise<void> {
    while (!done() && performance.now() < until) {
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
      // Connections that the system has accepted have arrived by now, also where this process was delayed.
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
}
