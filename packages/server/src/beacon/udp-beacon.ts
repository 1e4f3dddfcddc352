import { createSocket, type RemoteInfo, type Socket } from 'node:dgram'
import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import type { Clock, Timers } from '@matchyard/core/ports'
import { networkOf } from '@matchyard/http'
import { ConfigurationError } from '../config/configuration-error'
import { MIN_SOURCE_PORT, turnIntoAnswer } from './packet'
import { BEACON_LIMITS, type BeaconLimits, PacketBudget } from './packet-budget'

/** Milliseconds for which packets without an answer are counted together. */
const WINDOW_MS = 100
const SECOND_MS = 1_000
/** Maximum answers that wait in the socket. Further requests get no answer. */
const MAX_WAITING = 64
/**
 * Bytes of the receive buffer, about 40 packets. A request that waits for long measures nothing, and packets that wait when
 * a pause begins have to be read.
 */
const RECEIVE_BYTES = 16 * 1_024
/** Port to which a socket that reads nothing is connected. Nothing is sent to it. */
const DISCARD_PORT = 9

/** Counts of a beacon since its start. */
export interface BeaconCounts {
  /** Requests that were answered. */
  readonly answered: number
  /** Requests without an answer, because of a limit. */
  readonly limited: number
  /** Packets that are no request, or that came from a port that gets no answer. */
  readonly ignored: number
  /** Times for which the beacon read nothing for the rest of a window, because too many packets got no answer. */
  readonly pauses: number
}

export interface BeaconOptions {
  readonly host: string
  /** UDP port; 0 means any free port. */
  readonly port: number
  readonly clock: Pick<Clock, 'now'>
  readonly timers: Timers
  /** Default: `BEACON_LIMITS`. */
  readonly limits?: BeaconLimits
}

export interface UdpBeacon {
  readonly port: number
  counts(): BeaconCounts
  close(): Promise<void>
}

/**
 * Opens a beacon: a UDP socket that answers the requests by which clients measure their latency. An answer is as long as
 * its request and is itself no request, so nobody can make two beacons talk to each other, and a forged source address
 * amplifies nothing. Throws ConfigurationError if the port cannot be opened.
 */
export async function openUdpBeacon(options: BeaconOptions): Promise<UdpBeacon> {
  const { host, port, clock, timers, limits = BEACON_LIMITS } = options
  const { address, family } = isIP(host) === 0 ? await lookup(host) : { address: host, family: isIP(host) }
  const socket = await bound(address, family, port).catch((error: NodeJS.ErrnoException) => {
    throw new ConfigurationError([
      `BEACON_PORT: UDP port ${port} of ${host} cannot be opened (${error.code}); give another one`,
    ])
  })
  return new Answering(socket, new PacketBudget(clock, limits), timers, limits)
}

async function bound(address: string, family: number, port: number): Promise<Socket> {
  // Addresses are not looked up, so that an answer is sent at once.
  const socket = createSocket({
    type: family === 6 ? 'udp6' : 'udp4',
    recvBufferSize: RECEIVE_BYTES,
    lookup: (name, _options, done) => done(null, name, isIP(name)),
  })
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject)
    socket.bind({ port, address, exclusive: true }, resolve)
  })
  if (port !== 0) return socket
  // A socket loses a port that the operating system chose when its connection ends, so the port is named.
  const { port: free } = socket.address()
  await new Promise<void>((resolve) => socket.close(() => resolve()))
  return bound(address, family, free)
}

class Answering implements UdpBeacon {
  readonly port: number
  private readonly counted = { answered: 0, limited: 0, ignored: 0, pauses: 0 }
  private readonly dropsPerWindow: number
  private readonly loopback: string
  private drops = 0
  private isPaused = false
  private endWindow: (() => void) | undefined
  private closed: Promise<void> | undefined

  constructor(
    private readonly socket: Socket,
    private readonly budget: PacketBudget,
    private readonly timers: Timers,
    { dropsPerSecond }: BeaconLimits,
  ) {
    const { port, family } = socket.address()
    this.port = port
    this.loopback = family === 'IPv6' ? '::1' : '127.0.0.1'
    this.dropsPerWindow = Math.ceil((dropsPerSecond * WINDOW_MS) / SECOND_MS)
    socket.removeAllListeners('error')
    // An error of one packet, for example of an address that cannot be reached, concerns no other packet.
    socket.on('error', () => {})
    socket.on('message', (packet, from) => this.hear(packet, from))
  }

  counts(): BeaconCounts {
    return { ...this.counted }
  }

  close(): Promise<void> {
    this.endWindow?.()
    this.isPaused = true
    this.closed ??= new Promise((resolve) => this.socket.close(() => resolve()))
    return this.closed
  }

  private hear(packet: Buffer, { address, port }: RemoteInfo): void {
    // The packets that had arrived before the pause are dropped, too.
    if (this.isPaused) return
    if (port < MIN_SOURCE_PORT || port === this.port || !turnIntoAnswer(packet)) this.drop('ignored')
    else if (this.socket.getSendQueueCount() >= MAX_WAITING || !this.budget.take(networkOf(address)))
      this.drop('limited')
    else {
      this.counted.answered++
      this.socket.send(packet, port, address, noError)
    }
  }

  private drop(why: 'ignored' | 'limited'): void {
    this.counted[why]++
    if (this.drops++ === 0) this.endWindow = this.timers.after(WINDOW_MS, () => this.begin())
    if (this.drops > this.dropsPerWindow) this.pause()
  }

  /**
   * Reads nothing until the window ends. A socket that is connected to an address gets packets from this address alone,
   * so the operating system drops all others, and they cost this process nothing.
   */
  private pause(): void {
    this.isPaused = true
    this.counted.pauses++
    this.socket.connect(DISCARD_PORT, this.loopback)
  }

  private begin(): void {
    this.drops = 0
    if (!this.isPaused) return
    this.isPaused = false
    try {
      this.socket.disconnect()
    } catch {
      // The connection of the pause had failed, so the socket reads already.
    }
  }
}

const noError = () => {}
