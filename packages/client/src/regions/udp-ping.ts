import type { Beacon } from '../api/types'
import type { Platform } from '../platform'
import { SAMPLE_GAP_MS, SAMPLES } from '../times'
import type { Sampled } from './http-ping'

/** UDP socket of Node, as far as it is used here. The types of Node are not there when a page is compiled. */
interface Socket {
  on(event: 'message', listener: (packet: Uint8Array) => void): void
  on(event: 'error', listener: () => void): void
  send(packet: Uint8Array, port: number, address: string, done: () => void): void
  close(): void
}

type Found = (error: null, address: string, family: number) => void

interface SocketOptions {
  readonly type: 'udp4' | 'udp6'
  readonly lookup: (address: string, options: unknown, found: Found) => void
}

/** Modules of Node that send UDP packets. */
export interface Udp {
  readonly dgram: { createSocket(options: SocketOptions): Socket }
  readonly dns: { lookup(host: string): Promise<{ readonly address: string; readonly family: number }> }
}

/** Bytes of a packet: a word of 4 bytes, and 8 bytes by which an answer is recognized. */
const PACKET_BYTES = 12
const WORD_BYTES = 4
const REQUEST = 'MYP1'
/** Words of answers. A plain echo, for example the ping service of Agones, returns the request. */
const ANSWERS = ['MYR1', REQUEST]

interface Sent {
  readonly samples: number[]
  readonly at: number
}

/** Sends five requests to each beacon, and returns the times until the answers. */
export async function pingByUdp(
  beacons: ReadonlyMap<string, Beacon>,
  timeoutMs: number,
  { dgram, dns }: Udp,
  { after, random }: Platform,
): Promise<Sampled[]> {
  const sent = new Map<string, Sent>()
  const sockets = new Map<number, Socket>()
  const stops: (() => void)[] = []
  const all = [...beacons.entries()].map(([key, beacon]) => ({ key, beacon, samples: [] as number[] }))
  let open = all.length * SAMPLES
  let isOver = false
  let done = (): void => {}
  const ended = new Promise<void>((resolve) => {
    done = resolve
  })
  const close = (count: number): void => {
    open -= count
    if (open <= 0) done()
  }

  const hear = (packet: Uint8Array): void => {
    const now = performance.now()
    const text = String.fromCharCode(...packet.subarray(0, PACKET_BYTES))
    const id = text.slice(WORD_BYTES)
    const request = sent.get(id)
    if (request === undefined || packet.length !== PACKET_BYTES || !ANSWERS.includes(text.slice(0, WORD_BYTES))) return
    sent.delete(id)
    request.samples.push(now - request.at)
    close(1)
  }
  const socketOf = (family: number): Socket => {
    const known = sockets.get(family)
    if (known !== undefined) return known
    const socket = dgram.createSocket({
      type: family === 6 ? 'udp6' : 'udp4',
      // Only addresses are sent to, and a look-up of an address would delay the packet.
      lookup: (address, _options, found) => found(null, address, family),
    })
    sockets.set(family, socket)
    socket.on('message', hear)
    // A host that refuses packets has no samples.
    socket.on('error', () => {})
    return socket
  }
  const ping = async (index: number): Promise<void> => {
    const { beacon, samples } = all[index] as (typeof all)[number]
    const { address, family } = await dns.lookup(beacon.host)
    // The name may be found after the end.
    if (isOver) return
    const socket = socketOf(family)
    for (let round = 0; round < SAMPLES; round++) {
      const send = (): void => {
        const id = String.fromCharCode(...Array.from({ length: 8 }, () => Math.floor(random() * 256)))
        const packet = Uint8Array.from(REQUEST + id, (letter) => letter.charCodeAt(0))
        sent.set(id, { samples, at: performance.now() })
        socket.send(packet, beacon.udp_port ?? 0, address, () => {})
      }
      // Requests to different beacons are a millisecond apart, so that their answers do not arrive together.
      stops.push(after(round * SAMPLE_GAP_MS + index, send))
    }
  }

  if (open === 0) return []
  stops.push(after(timeoutMs, done))
  for (const index of all.keys()) ping(index).catch(() => close(SAMPLES))
  await ended
  isOver = true
  for (const stop of stops) stop()
  for (const socket of sockets.values()) socket.close()
  return all.map(({ key, samples }) => [key, samples])
}
