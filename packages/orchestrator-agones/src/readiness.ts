import type { PortMapping, Readiness as Rule } from '@matchyard/core'
import type { Clock } from '@matchyard/core/ports'
import { type Answer, ReadinessJudge, type Verdict } from '@matchyard/orchestrator-kit'

export type Knock = (host: string, port: number) => Promise<Answer>

/** Whether a server takes players, seen from where the service is: at the address that players use. */
export class Readiness {
  private readonly judgeOf = new ReadinessJudge(() => {})

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
    const verdict = await this.judgeOf.judge(
      key,
      { readiness: rule, startedAt: since, tcpPorts, udpPorts },
      look,
      this.clock.now(),
    )
    if (verdict.ready || verdict.waitsFor !== undefined || tcpPorts.length === 0) return verdict
    return {
      ready: false,
      waitsFor: `not all of its TCP ports accept (${tcpPorts.map(({ port }) => port).join(', ')})`,
    }
  }
}
