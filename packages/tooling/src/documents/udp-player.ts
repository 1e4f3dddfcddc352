import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import type { Match } from '@matchyard/client'

/** A player who sends datagrams to the match's game server and receives its answers. */
export class UdpPlayer {
  private readonly socket = createSocket('udp4')

  constructor(private readonly match: Match) {}

  get joinToken(): string {
    return this.match.endpoint('game').joinToken ?? ''
  }

  say(text: string): void {
    const { host, port } = this.match.endpoint('game')
    this.socket.send(text, port, host)
  }

  async ask(text: string): Promise<string> {
    const answer = once(this.socket, 'message') as Promise<[Buffer]>
    this.say(text)
    return (await answer)[0].toString()
  }

  close(): void {
    this.socket.close()
  }
}
