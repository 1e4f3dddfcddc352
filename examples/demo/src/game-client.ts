import { createSocket, type Socket } from 'node:dgram'
import type { Endpoint } from '@matchyard/client'

/** Milliseconds between repetitions of a datagram, because UDP may lose one. */
const RESEND_MS = 200
const GIVE_UP_MS = 5_000

/** A player's connection to the game server, over one UDP socket. */
export class GameClient {
  private readonly socket: Socket = createSocket('udp4')
  private readonly received: string[] = []
  private wake: (() => void) | undefined

  constructor(
    readonly player: string,
    private readonly endpoint: Endpoint,
  ) {
    this.socket.on('message', (message) => {
      this.received.push(message.toString())
      this.wake?.()
    })
  }

  send(text: string): void {
    this.socket.send(text, this.endpoint.port, this.endpoint.host)
  }

  /** Sends a message repeatedly until an answer matches; each datagram may be lost. */
  async ask(text: string, fits: RegExp): Promise<string> {
    const until = performance.now() + GIVE_UP_MS
    while (performance.now() < until) {
      this.send(text)
      const answer = await this.hear(fits, RESEND_MS)
      if (answer !== undefined) return answer
    }
    throw new Error(`${this.player} got no answer to ${JSON.stringify(text)}`)
  }

  /** Returns the next message that matches; undefined when none arrives in time. */
  async hear(fits: RegExp, withinMs = GIVE_UP_MS): Promise<string | undefined> {
    const until = performance.now() + withinMs
    for (;;) {
      const index = this.received.findIndex((message) => fits.test(message))
      if (index >= 0) return this.received.splice(index, 1)[0]
      const left = until - performance.now()
      if (left <= 0) return undefined
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, left)
        this.wake = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    }
  }

  close(): void {
    this.socket.close()
  }
}
