import type { PortMapping, Readiness as Rule, Transport } from '@matchyard/core'
import { type Clock, transportsOf } from '@matchyard/core/ports'
import { type Answer, ReadinessJudge, type Verdict } from '../../kit/index'

/**
 * Milliseconds after the last check of a server, after which its data are removed: the server was stopped, or has
 * ended.
 */
const ASKED_WITHIN_MS = 300_000
/** Minimum milliseconds between two searches for servers whose data can be removed. */
const SWEPT_EVERY_MS = 60_000

export type Knock = (host: string, port: number) => Promise<Answer>

/** Decides whether a server accepts players. It connects from the service to the address that players use. */
export class Readiness {
  private readonly judgeOf = new ReadinessJudge(() => {})
  /** Time of the last check of each server. */
  private readonly askedAt = new Map<string, number>()
  private sweptAt = Number.NEGATIVE_INFINITY

  constructor(
    private readonly knock: Knock,
    private readonly clock: Clock,
  ) {}

  async judge(
    key: string,
    { since, saysReady }: { readonly since: number; readonly saysReady: boolean },
    rule: Rule,
    ports: readonly PortMapping[] | undefined,
  ): Promise<Verdict> {
    if (ports === undefined) return { ready: false, waitsFor: 'the cluster has not told its ports' }
    // A server that reported itself ready through Agones' SDK needs no check of its ports.
    if (saysReady && rule !== 'self') return { ready: true }
    const of = (transport: Transport) => ports.filter(({ protocol }) => transportsOf(protocol).includes(transport))
    const tcpPorts = of('tcp').map(({ host, externalPort }) => ({ port: externalPort, host }))
    const udpPorts = of('udp').map(({ externalPort }) => ({ port: externalPort }))
    const look = {
      accepts: async ({ host, port }: { readonly host: string; readonly port: number }) =>
        (await this.knock(host, port)) === 'accepts',
      // The service cannot read the sockets on the nodes of a cluster.
      sockets: async () => undefined,
      own: async () => undefined,
      playsOnLoopback: true,
    }
    const now = this.clock.now()
    this.sweep(now)
    this.askedAt.set(key, now)
    const verdict = await this.judgeOf.judge(key, { readiness: rule, startedAt: since, tcpPorts, udpPorts }, look, now)
    // The caller records the server as ready and does not check it again.
    if (verdict.ready) this.forget(key)
    if (verdict.ready || verdict.waitsFor !== undefined || tcpPorts.length === 0) return verdict
    return {
      ready: false,
      waitsFor: `not all of its TCP ports accept (${tcpPorts.map(({ port }) => port).join(', ')})`,
    }
  }

  /**
   * Removes the data of servers that are no longer checked. Most servers become ready soon. For the other servers there
   * is no event after the last check: the server ended, or another node found that it is ready.
   */
  private sweep(now: number): void {
    if (now - this.sweptAt < SWEPT_EVERY_MS) return
    this.sweptAt = now
    for (const [key, at] of this.askedAt) if (now - at > ASKED_WITHIN_MS) this.forget(key)
  }

  private forget(key: string): void {
    this.askedAt.delete(key)
    this.judgeOf.forget(key)
  }
}
