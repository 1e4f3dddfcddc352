import type { Instant, Readiness } from '@matchyard/core'
import { type BoundSocket, isOnLoopback } from './kernel-sockets'

const UP_MS = 1_000
/** What a server lacks is put into words this often at the most: that takes more looks than whether it is ready. */
const WORDS_EVERY_MS = 1_000

/** A port as the server is to listen on it. */
export interface AskedPort {
  readonly port: number
  /** What the server reads it from, `PORT_GAME`; absent where that is not known any more. */
  readonly variable?: string
}

/** A game server that has been started and is not known to be ready. */
export interface Started<Tcp extends AskedPort = AskedPort> {
  readonly readiness: Readiness
  readonly startedAt: Instant
  readonly tcpPorts: readonly Tcp[]
  readonly udpPorts: readonly AskedPort[]
}

/** How an adapter looks at one server. */
export interface Look<Tcp extends AskedPort> {
  accepts(port: Tcp): Promise<boolean>
  /** What waits for players where the server does, its own and others'; undefined where that cannot be read. */
  sockets(): Promise<readonly BoundSocket[] | undefined>
  /** Those of them that are the server's own; undefined where that cannot be told. Asked only where it matters. */
  own(sockets: readonly BoundSocket[]): Promise<readonly BoundSocket[] | undefined>
  /** Whether players come by a loopback address, so that a server bound to one takes them. */
  readonly playsOnLoopback: boolean
}

export interface Verdict {
  readonly ready: boolean
  /** What it lacks, as a clause; absent where it lacks nothing but time. */
  readonly waitsFor?: string
}

const READY: Verdict = { ready: true }
const NOT_YET: Verdict = { ready: false }

/** Judges whether servers are ready, by the one rule of all adapters (`ObservedServer` of the port says it). */
export class ReadinessJudge {
  private readonly said = new Map<string, { readonly at: Instant; readonly words: string | undefined }>()
  /** When it was last seen what a server has bound. */
  private readonly seenAt = new Map<string, Instant>()
  private toldUnseen = false

  /** `onUnseen`: told once, when who has bound a port cannot be observed here. */
  constructor(private readonly onUnseen: () => void) {}

  /** `key` names the server among all of the adapter's. */
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
   * Whether nobody can see here what this server has bound, so that being up must do. One look that fails says little: a server that is
   * just ending cannot be read either.
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
    // Where nobody has the ports there is no need to look who has them.
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

/** Names the ports that were asked for and those that are bound; undefined where nothing is missing. */
export function lackOf(
  { tcpPorts, udpPorts }: Pick<Started, 'tcpPorts' | 'udpPorts'>,
  bound: readonly BoundSocket[],
  playsOnLoopback: boolean,
): string | undefined {
  const asked = [
    ...udpPorts.map((one) => ({ ...one, protocol: 'udp' as const })),
    ...tcpPorts.map((one) => ({ ...one, protocol: 'tcp' as const })),
  ]
  const usable = bound.filter((one) => takesPlayers(one, { playsOnLoopback }))
  const missing = asked.filter(({ protocol, port }) => !usable.some((one) => isAt(one, protocol, port)))
  if (missing.length === 0) return undefined
  const none = missing.length === asked.length
  const wanted = missing.map(
    ({ protocol, port, variable }) => `${protocol} ${port}${variable === undefined ? '' : ` (${variable})`}`,
  )
  const found = bound.map((one) => {
    const useless = !takesPlayers(one, { playsOnLoopback })
    return `${one.protocol} ${one.port}${useless ? ' (on a loopback address, where players do not come)' : ''}`
  })
  const here = found.length === 0 ? 'the server has bound none' : `the server has bound ${listed(found)}`
  return none
    ? `no port that was asked for is bound: asked for ${listed(wanted)}; ${here}`
    : `${listed(wanted)} ${missing.length === 1 ? 'is' : 'are'} not bound; ${here}`
}

const listed = (words: readonly string[]): string => [...new Set(words)].join(', ')
