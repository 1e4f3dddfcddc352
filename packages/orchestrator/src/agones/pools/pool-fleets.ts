import type { Setbacks } from '../../kit/index'
import type { Cluster } from '../cluster'
import { ApiRefusal, isJudgement, isRefused } from '../kube/errors'
import { FLEETS } from '../kube/resources'
import type { FleetItem } from '../kube/shapes'
import { fleetName, installationSelector, poolOf } from '../names'
import type { GivingWay } from './giving-way'
import { isOfFleet } from './member-state'
import type { Outages } from './outages'
import type { PoolMembers } from './pool-members'
import type { WantedPool } from './pool-targets'

interface PoolFleetsParts {
  readonly installationId: string
  readonly members: PoolMembers
  readonly outages: Outages
  readonly givingWay: GivingWay
  readonly setbacks: Setbacks
}

/** The fleets of Agones that hold warm game servers, one fleet for each warm pool. */
export class PoolFleets {
  constructor(private readonly parts: PoolFleetsParts) {}

  /** Sets the fleets of a cluster to their sizes. Returns the number of fleets found. */
  async sizeIn(cluster: Cluster, wanted: readonly WantedPool[], targets: ReadonlyMap<string, number>): Promise<number> {
    const fleets = await this.fleetsIn(cluster)
    const givesWay = await this.parts.givingWay.isOn(cluster, [...fleets.values()])
    for (const { hash, manifest } of wanted) {
      const waiting = givesWay ? 0 : (targets.get(hash) ?? 0)
      const fleet = fleets.get(hash)
      await this.contained(cluster, hash, async () => {
        const size = this.parts.members.counted(cluster, hash) + waiting
        if (fleet !== undefined) await this.resize(cluster, fleet, size)
        // A missing fleet is not created while it needs no warm servers: the cluster may have refused to create the
        // fleet a moment ago.
        else if (waiting > 0) await this.make(cluster, hash, manifest(size))
      })
    }
    for (const [hash, fleet] of fleets) {
      if (!wanted.some((one) => one.hash === hash))
        await this.contained(cluster, hash, () => this.retire(cluster, fleet, hash))
    }
    return fleets.size
  }

  /** Runs work on the fleet of one pool. When the cluster refuses, the other pools are not affected. */
  private contained(cluster: Cluster, hash: string, work: () => Promise<void>): Promise<void> {
    const fleet = fleetName(this.parts.installationId, hash)
    return this.parts.outages.contained({ cluster: cluster.name, fleet }, work)
  }

  private async fleetsIn(cluster: Cluster): Promise<ReadonlyMap<string, FleetItem>> {
    const selector = installationSelector(this.parts.installationId)
    const { items } = await cluster.client.list<FleetItem>(FLEETS, selector)
    return new Map(
      items.flatMap((one) =>
        one.metadata.deletionTimestamp !== undefined ? [] : [[poolOf(one.metadata) ?? '', one] as const],
      ),
    )
  }

  private async make(cluster: Cluster, hash: string, manifest: object): Promise<void> {
    try {
      await cluster.client.create(FLEETS, manifest)
    } catch (error) {
      // Another node has created the fleet meanwhile.
      if (isRefused(error, 409)) return
      if (error instanceof ApiRefusal && isJudgement(error)) this.parts.setbacks.note(hash)
      throw error
    }
  }

  private async resize(cluster: Cluster, { metadata, spec }: FleetItem, replicas: number): Promise<void> {
    if (spec?.replicas !== replicas) await cluster.client.patch(FLEETS, metadata.name, { spec: { replicas } })
  }

  /**
   * Removes the fleet of a pool that no queue needs: sets its size to 0, and deletes the fleet when no game server
   * belongs to it. When a fleet is deleted, Agones deletes its game servers, even those with players. So the fleet
   * stays until its game servers have ended.
   */
  private async retire(cluster: Cluster, fleet: FleetItem, hash: string): Promise<void> {
    if (fleet.spec?.replicas !== 0) return this.resize(cluster, fleet, 0)
    // The local view may be stale, so this reads from the cluster.
    if ((await cluster.listPool(hash)).some(isOfFleet)) return
    await cluster.client.deleteAsSeen(FLEETS, fleet.metadata)
  }
}
