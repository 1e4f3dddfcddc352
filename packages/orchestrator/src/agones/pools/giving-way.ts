import type { Clock } from '@matchyard/core/ports'
import type { Cluster } from '../cluster'
import { FLEETS } from '../kube/resources'
import type { FleetItem } from '../kube/shapes'
import { ANNOTATION } from '../names'
import type { Outages } from './outages'

/**
 * Milliseconds after a launch that found no capacity, during which its cluster has no warm game servers. The launch is
 * tried again meanwhile.
 */
const GIVES_WAY_MS = 30_000

/**
 * Pauses the warm pools of a cluster after a launch found no capacity there. The end of the pause is stored in an
 * annotation of the fleets, so that all nodes know it.
 */
export class GivingWay {
  private readonly until = new Map<Cluster, number>()

  constructor(
    private readonly clock: Clock,
    private readonly outages: Outages,
  ) {}

  begin(cluster: Cluster): void {
    this.until.set(cluster, this.clock.now() + GIVES_WAY_MS)
  }

  async isOn(cluster: Cluster, fleets: readonly FleetItem[]): Promise<boolean> {
    const now = this.clock.now()
    const said = fleets.map(({ metadata }) => Date.parse(metadata.annotations?.[ANNOTATION.givesWayUntil] ?? ''))
    const known = Math.max(Number.NEGATIVE_INFINITY, ...said.filter((until) => until > now))
    const own = this.until.get(cluster) ?? Number.NEGATIVE_INFINITY
    if (own > Math.max(now, known)) await this.say(cluster, fleets, own)
    return Math.max(known, own) > now
  }

  private async say(cluster: Cluster, fleets: readonly FleetItem[], until: number): Promise<void> {
    const annotations = { [ANNOTATION.givesWayUntil]: new Date(until).toISOString() }
    for (const { metadata } of fleets) {
      await this.outages.contained({ cluster: cluster.name, gives_way: metadata.name }, async () => {
        await cluster.client.patch(FLEETS, metadata.name, { metadata: { annotations } })
      })
    }
  }
}
