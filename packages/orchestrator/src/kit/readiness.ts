import type { Instant, Readiness } from '@matchyard/core'
import { type BoundSocket, isOnLoopback } from './kernel-sockets'

const UP_MS = 1_000
/**
 * The shortest time in milliseconds between two texts that explain why one server is not ready. An explanation needs
 * more queries than the decision whether the server is ready.
 */
const WORDS_EVERY_MS = 1_000

/** A port on which the server must listen. */
export interface AskedPort {
  readonly port: number
  /**
   * The variable in the server's environment that contains the port, such as `PORT_GAME`; absent when the variable is
   * no longer known.
   */
  readonly variable?: string
  /** Whether players reach the port through the TLS front of this machine, so that a socket on a loopback address suffices. */
  readonly behindFront?: boolean
}

/** A started game server that is not known to be ready. */
export interface Started<Tcp extends AskedPort = AskedPort> {
  readonly readiness: Readiness
  readonly startedAt: Instant
  readonly tcpPorts: readonly Tcp[]
  readonly udpPorts: readonly AskedPort[]
}

/** The queries with which an adapter observes one server. */
export interface Look<Tcp extends AskedPort> {
  accepts(port: Tcp): Promise<boolean>
  /**
   * Returns all bound sockets in the server's network, also those of other processes; undefined when they cannot be
   * read.
   */
  sockets(): Promise<readonly BoundSocket[] | undefined>
  /**
   * Returns the sockets among these that belong to the server; undefined when the owners of sockets cannot be read. The
   * check calls it only when necessary.
   */
  own(sockets: readonly BoundSocket[]): Promise<readonly BoundSocket[] | undefined>
  /**
   * Whether players connect through a loopback address. Then a socket that is bound to a loopback address can receive
   * them.
   */
  readonly playsOnLoopback: boolean
}

export interface Verdict {
  readonly ready: boolean
  /** Clause that describes the missing condition; absent when the server only needs more time. */
  readonly waitsFor?: string
}

const READY: Verdict = { ready: true }
const NOT_YET: Verdict = { ready: false }

/**
 * Decides whether servers are ready, by the same rule for all adapters (see `ObservedServer` of the orchestrator port).
 */
export class ReadinessJudge {
  private readonly said = new Map<string, { readonly at: Instant; readonly words: string | undefined }>()
  /** By server: the last time at which its bound ports could be read. */
  private readonly seenAt = new Map<string, Instant>()
  private toldUnseen = false

  /** `onUnseen` is called once, when bound ports cannot be observed on this machine. */
  constructor(private readonly onUnseen: () => void) {}

  /** Returns whether one server is ready, and the missing condition. `key` identifies the server within the adapter. */
  async judge<Tcp extends AskedPort>(
    key: string,
    server: Started<Tcp>,
    look: Look<Tcp>,
    now: Instant,
  ): Promise<Verdict> {
    const { readiness, startedAt, tcpPorts, udpPorts } = server
    const isUp = now - startedAt >= UP_MS
    if (readiness === 'self') return { ready: false, waitsFor: 'it has not said that it is ready (readiness: "self")' }
    if (readiness === 'uptime' || tcpPorts.length + udpPorts.length === 0) return isUp ? READY : NOT_YET
    const [accepted, bound] = await Promise.all([
      Promise.all(tcpPorts.map((port) => look.accepts(port))),
      udpPorts.length === 0 ? true : this.hasBound(udpPorts, look),
    ])
    const isBound = bound === 'unseen' ? this.isBlind(key, startedAt, now) : bound
    if (bound !== 'unseen') this.seenAt.set(key, now)
    if (accepted.every(Boolean) && isBound) return READY
    const words = await this.lacks(key, server, look, now)
    return words === undefined ? NOT_YET : { ready: false, waitsFor: words }
  }

  forget(key: string): void {
    this.said.delete(key)
    this.seenAt.delete(key)
  }

  /**
   * Whether the ports of this server cannot be observed here, so that its uptime decides instead. One failed read is
   * not enough for that, because a read also fails for a server that is ending.
   */
  private isBlind(key: string, startedAt: Instant, now: Instant): boolean {
    if (now - (this.seenAt.get(key) ?? startedAt) < UP_MS) return false
    if (!this.toldUnseen) this.onUnseen()
    this.toldUnseen = true
    return true
  }

  private async hasBound<Tcp extends AskedPort>(
    asked: readonly AskedPort[],
    look: Look<Tcp>,
  ): Promise<boolean | 'unseen'> {
    const sockets = await look.sockets()
    if (sockets === undefined) return 'unseen'
    // The owners of the ports are only looked up when all ports are bound.
    const likely = sockets.filter(
      (socket) => takesPlayers(socket, look) && asked.some(({ port }) => isAt(socket, 'udp', port)),
    )
    const all = (found: readonly BoundSocket[]) =>
      asked.every(({ port }) => found.some((one) => isAt(one, 'udp', port)))
    if (!all(likely)) return false
    const own = await look.own(likely)
    return own === undefined ? 'unseen' : all(own)
  }

  private async lacks<Tcp extends AskedPort>(
    key: string,
    server: Started<Tcp>,
    look: Look<Tcp>,
    now: Instant,
  ): Promise<string | undefined> {
    const before = this.said.get(key)
    if (before !== undefined && now - before.at < WORDS_EVERY_MS) return before.words
    const sockets = await look.sockets()
    const own = sockets === undefined ? undefined : await look.own(sockets)
    const words = own === undefined ? undefined : lackOf(server, own, look.playsOnLoopback)
    this.said.set(key, { at: now, words })
    return words
  }
}

const isAt = (socket: BoundSocket, protocol: BoundSocket['protocol'], port: number): boolean =>
  socket.protocol === protocol && socket.port === port

const takesPlayers = (socket: BoundSocket, { playsOnLoopback }: { readonly playsOnLoopback: boolean }): boolean =>
  playsOnLoopback || !isOnLoopback(socket)

/** Returns a clause that names the requested ports and the bound ports; undefined when no port is missing. */
export function lackOf(
  { tcpPorts, udpPorts }: Pick<Started, 'tcpPorts' | 'udpPorts'>,
  bound: readonly BoundSocket[],
  playsOnLoopback: boolean,
): string | undefined {
  const asked = [
    ...udpPorts.map((one) => ({ ...one, protocol: 'udp' as const })),
    ...tcpPorts.map((one) => ({ ...one, protocol: 'tcp' as const })),
  ]
  const isUsable = (one: BoundSocket) =>
    takesPlayers(one, { playsOnLoopback }) ||
    tcpPorts.some(({ port, behindFront }) => behindFront === true && isAt(one, 'tcp', port))
  const usable = bound.filter(isUsable)
  const missing = asked.filter(({ protocol, port }) => !usable.some((one) => isAt(one, protocol, port)))
  if (missing.length === 0) return undefined
  const none = missing.length === asked.length
  const wanted = missing.map(
    ({ protocol, port, variable }) => `${protocol} ${port}${variable === undefined ? '' : ` (${variable})`}`,
  )
  const found = bound.map((one) => {
    const useless = !isUsable(one)
    return `${one.protocol} ${one.port}${useless ? ' (on a loopback address, where players do not come)' : ''}`
  })
  const here = found.length === 0 ? 'the server has bound none' : `the server has bound ${listed(found)}`
  return none
    ? `no port that was asked for is bound: asked for ${listed(wanted)}; ${here}`
    : `${listed(wanted)} ${missing.length === 1 ? 'is' : 'are'} not bound; ${here}`
}

const listed = (words: readonly string[]): string => [...new Set(words)].join(', ')
