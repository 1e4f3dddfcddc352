import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { AnswersUnderWay } from '@matchyard/http'
import type { Connection, Connections } from './connections'

/** Milliseconds between two checks for running requests. */
const LOOK_EVERY_MS = 20
/** Milliseconds after its last use in which a connection will probably be used again, and gets one more answer. */
const BUSY_MS = 300
/**
 * Number of checks without a new connection after which the listener closes, at the latest after
 * `STILL_AT_THE_LATEST_MS` milliseconds.
 */
const STILL_LOOKS = 3
const STILL_AT_THE_LATEST_MS = 1_000

/**
 * Stops a server without cutting off callers. A caller on a kept connection learns about the stop only by an answer. So
 * each answer says `connection: close`, and the listener stays open until every present caller has had such an answer.
 * Load balancers learn about the stop from `/readyz` meanwhile.
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
   * Returns a promise that a request must await before its start; undefined except while the listener closes. An
   * answered caller would connect again at once, and a connection that the system has accepted but the service has not
   * would be cut.
   */
  turn(): Promise<void> | undefined {
    if (this.held === undefined) return undefined
    const { held } = this
    return new Promise((resolve) => held.push(resolve))
  }

  /**
   * Waits for the running requests, then closes the listener. Connections that remain `graceMs` milliseconds after the
   * call are cut.
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
   * headers. Browsers and `fetch` open such connections in advance, above all after a stream was cut off.
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
      // After one more turn of the event loop, the connections that the system had accepted have arrived, even when
      // this process was delayed.
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
}
