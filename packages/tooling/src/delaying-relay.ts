import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'

export interface UdpAddress {
  readonly host: string
  readonly port: number
}

/** UDP relay that stands for a distant machine: each answer arrives after a set delay. */
export class DelayingRelay {
  /** Milliseconds by which answers are delayed. */
  delayMs: number
  private readonly backs = new Map<string, Socket>()

  private constructor(
    private readonly front: Socket,
    to: UdpAddress,
    delayMs: number,
  ) {
    this.delayMs = delayMs
    front.on('message', (packet, { address, port }) => this.backOf(address, port).send(packet, to.port, to.host))
  }

  /** Opens a relay at `from`; port 0 means any free port. */
  static async open(from: UdpAddress, to: UdpAddress, delayMs = 0): Promise<DelayingRelay> {
    const front = createSocket('udp4')
    front.bind(from.port, from.host)
    await once(front, 'listening')
    return new DelayingRelay(front, to, delayMs)
  }

  get port(): number {
    return this.front.address().port
  }

  close(): void {
    for (const socket of [this.front, ...this.backs.values()]) socket.close()
  }

  /** Returns the socket through which the relay sends the packets of one client. */
  private backOf(address: string, port: number): Socket {
    const key = `${address} ${port}`
    const known = this.backs.get(key)
    if (known !== undefined) return known
    const back = createSocket('udp4')
    this.backs.set(key, back)
    back.on('message', (packet) => {
      setTimeout(() => this.front.send(packet, port, address, () => {}), this.delayMs)
    })
    return back
  }
}
