import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { AnswersUnderWay } from '@matchyard/http'
import type { Connection, Connections } from './connections'

/** Milliseconds between two checks whether requests still run. */
const LOOK_EVERY_MS = 20
/**
 * Milliseconds after its last use within which a connection will probably be used again. The drain waits this long for
 * one more request, to answer it with `connection: close`.
 */
const BUSY_MS = 300
/**
 * Number of consecutive checks without a new connection after which the listener is closed. The listener is closed at
 * the latest after `STILL_AT_THE_LATEST_MS` milliseconds.
 */
const STILL_LOOKS = 3
const STILL_AT_THE_LATEST_MS = 1_000

/**
 * Stops a server without cutting off callers. A caller on a kept-alive connection notices the stop only by an answer.
 * Therefore each answer has the header `connection: close`, and the listener stays open until all present callers have
 * got such an answer. Meanwhile `/readyz` reports the stop to load balancers.
 */
export class Drain {
  private readonly answers = new AnswersUnderWay()
  private draining = false
  private held: (() => void)[] | undefined

  constructor(
    private readonly server: Server,
    private readonly connections: Connections,
  ) {
    // This listener must run before the handler of the request.
    server.prependListener('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
      this.answers.add(socket, response)
      if (this.draining) response.shouldKeepAlive = false
    })
  }

  /**
   * Returns a promise that a request must await before it starts, while the listener is being closed; undefined at all
   * other times. A caller that gets an answer connects again at once. If the operating system has accepted that
   * connection and the service has not, closing the listener would cut it.
   */
  turn(): Promise<void> | undefined {
    if (this.held === undefined) return undefined
    const { held } = this
    return new Promise((resolve) => held.push(resolve))
  }

  /**
   * Waits for the running requests, then closes the listener. Connections that are still open after `graceMs`
   * milliseconds are cut.
   */
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
   * Closes connections that have never sent a byte. Node does not count them as idle, because it waits for their
   * headers. Browsers and `fetch` open such connections in advance, especially after a stream was cut off.
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
      // One more turn of the event loop delivers the connections that the system had accepted, even when this process
      // was delayed.
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
}
