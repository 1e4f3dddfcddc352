import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { onTestFinished } from 'vitest'

/** Beacon in this process that answers after a delay. */
export interface DelayedBeacon {
  readonly host: string
  readonly udp_port: number
  /** Number of requests. */
  readonly asked: () => number
}

/** Opens a beacon on the loopback address. `word` begins its answers; a beacon with undefined as its delay never answers. */
export async function delayedBeacon(delayMs: number | undefined, word = 'MYR1'): Promise<DelayedBeacon> {
  const socket = createSocket('udp4')
  onTestFinished(() => new Promise<void>((closed) => socket.close(() => closed())))
  let asked = 0
  socket.on('message', (packet, { address, port }) => {
    asked++
    if (delayMs === undefined) return
    const answer = Buffer.concat([Buffer.from(word), packet.subarray(word.length)])
    setTimeout(() => socket.send(answer, port, address, () => {}), delayMs)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return { host: '127.0.0.1', udp_port: socket.address().port, asked: () => asked }
}
