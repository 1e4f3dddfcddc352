import type { PortMapping, Readiness as Rule } from '@matchyard/core'
import type { Clock } from '@matchyard/core/ports'
import { type Answer, ReadinessJudge, type Verdict } from '../../kit/index'

/** What nobody has asked about for longer was stopped, or has ended. */
const ASKED_WITHIN_MS = 300_000
/** So often it is looked for such. */
const SWEPT_EVERY_MS = 60_000

export type Knock = (host: string, port: number) => Promise<Answer>

/** Whether a server takes players, seen from where the service is: at the address that players use. */
export class Readiness {
  private readonly judgeOf = new ReadinessJudge(() => {})
  /** By what is judged, when it was asked about last. */
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
    // What says so by Agones' SDK need not be asked.
    if (saysReady && rule !== 'self') return { ready: true }
    const of = (protocol: string) => ports.filter((port) => port.protocol === protocol)
    const tcpPorts = of('tcp').map(({ host, externalPort }) => ({ port: externalPort, host }))
    const udpPorts = of('udp').map(({ externalPort }) => ({ port: externalPort }))
    const look = {
      accepts: async ({ host, port }: { readonly host: string; readonly port: number }) =>
        (await this.knock(host, port)) === 'accepts',
      // Nobody can look into the cluster's nodes.
      sockets: async () => undefined,
      own: async () => undefined,
      playsOnLoopback: true,
    }
    const now = this.clock.now()
    this.sweep(now)
    this.askedAt.set(key, now)
    const verdict = await this.judgeOf.judge(key, { readiness: rule, startedAt: since, tcpPorts, udpPorts }, look, now)
    // It is marked, and not asked about again.
    if (verdict.ready) this.forget(key)
    if (verdict.ready || verdict.waitsFor !== undefined || tcpPorts.length === 0) return verdict
    return {
      ready: false,
      waitsFor: `not all of its TCP ports accept (${tcpPorts.map(({ port }) => port).join(', ')})`,
    }
  }

  /** Most are ready before long. Of the others nobody says that they are not asked about any more: they ended, or another node found them ready. */
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
