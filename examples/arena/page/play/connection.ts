import type { Match } from '@matchyard/client'
import type { ToPage, ToServer } from '../../game/protocol'

const AGAIN_MS = 700
/** Close codes of the game server after which a new connection is useless. */
const FINAL = [4_000, 4_001, 4_002]
/** Close code after which the player plays in another window. */
export const MOVED = 4_000

/** Connection to the game server. It reconnects by itself until the match ends. */
export class Connection {
  private socket: WebSocket | undefined
  private isOver = false

  constructor(
    private readonly match: Match,
    private readonly hear: (message: ToPage) => void,
    private readonly ended: (why: string, code: number) => void,
  ) {
    void this.open(match.endpoint('game').joinToken)
  }

  say(message: ToServer): void {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message))
  }

  close(): void {
    this.isOver = true
    this.socket?.close()
  }

  private open(token: string): void {
    const { host, port, tls } = this.match.endpoint('game')
    const socket = new WebSocket(`${tls ? 'wss' : 'ws'}://${host}:${port}`)
    this.socket = socket
    socket.onopen = () => this.say({ type: 'join', token })
    socket.onmessage = ({ data }) => this.hear(JSON.parse(String(data)))
    socket.onclose = ({ code, reason }) => {
      if (this.isOver) return
      if (FINAL.includes(code)) this.ended(reason, code)
      else setTimeout(() => void this.again(), AGAIN_MS)
    }
  }

  private async again(): Promise<void> {
    if (this.isOver) return
    try {
      // The token of the last connection may have expired.
      this.open(await this.match.joinToken())
    } catch {
      // The match is over; its own end reports that.
    }
  }
}
