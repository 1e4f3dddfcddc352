import { connect, type Socket } from 'node:net'
import { requestOf } from './load'

const AT_ONCE = 100

/** Raw sockets that each read one event stream, with a count of all frames. */
export class Readers {
  frames = 0
  private target = 0
  private reached: (() => void) | undefined
  private readonly sockets: Socket[] = []

  /** Opens `count` more streams. */
  async open(port: number, path: string, headers: Readonly<Record<string, string>>, count: number): Promise<void> {
    const request = requestOf('GET', path, headers)
    for (let left = count; left > 0; left -= AT_ONCE) {
      await Promise.all(Array.from({ length: Math.min(left, AT_ONCE) }, () => this.openOne(port, request)))
    }
  }

  /** Resolves once so many frames have arrived in total. */
  until(frames: number): Promise<void> {
    return new Promise((resolve) => {
      this.target = frames
      this.reached = resolve
      this.check()
    })
  }

  close(): void {
    for (const socket of this.sockets) socket.destroy()
  }

  /** Resolves at the first byte of the answer. */
  private openOne(port: number, request: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const socket = connect(port, '127.0.0.1', () => socket.write(request))
      let newline = false
      socket.once('error', reject)
      socket.once('data', () => resolve())
      socket.on('data', (chunk) => {
        for (const byte of chunk) {
          if (byte === NEWLINE && newline) this.frames++
          newline = byte === NEWLINE
        }
        this.check()
      })
      this.sockets.push(socket)
    })
  }

  private check(): void {
    if (this.frames >= this.target) this.reached?.()
  }
}

const NEWLINE = 10
