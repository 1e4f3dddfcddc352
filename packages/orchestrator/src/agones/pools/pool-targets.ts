import { type WarmPool, warmTarget } from '@matchyard/core/ports'
import type { RoomKeeper, Setbacks } from '../../kit/index'
import type { Cluster } from '../cluster'
import type { PoolMade } from './pool-manifest'
import type { PoolMembers } from './pool-members'

/** A warm pool that at least one queue needs. */
export interface WantedPool extends PoolMade {
  readonly pool: WarmPool
  readonly cluster: Cluster
}

interface PoolTargetsParts {
  readonly room: RoomKeeper
  /** Maximum number of warm game servers in all pools together. */
  readonly maxWaiting: number
  readonly members: PoolMembers
  readonly setbacks: Setbacks
}

/** Computes the number of warm game servers in each pool. */
export class PoolTargets {
  constructor(private readonly parts: PoolTargetsParts) {}

  /**
   * Returns, by the hash of a pool, the number of its warm game servers. The servers are assigned to the pools one by
   * one in turn, so that each pool gets some when the maximum is not enough for all pools.
   */
  async of(wanted: readonly WantedPool[]): Promise<ReadonlyMap<string, number>> {
    const targets = new Map<string, number>()
    const lacking = new Map(wanted.map((one) => [one, this.lackOf(one)]))
    const held: { instanceId: string; tierSize: WarmPool['tierSize'] }[] = []
    while ([...lacking.values()].some((lack) => lack > 0)) {
      for (const [one, lack] of lacking) {
        if (lack <= 0) continue
        const { hash, pool } = one
        const count = targets.get(hash) ?? 0
        const instanceId = `${hash}/${count}`
        const fits =
          held.length < this.parts.maxWaiting &&
          (await this.parts.room.fitsBeside(instanceId, pool.tierSize, [...held]))
        if (fits) {
          held.push({ instanceId, tierSize: pool.tierSize })
          targets.set(hash, count + 1)
        }
        lacking.set(one, fits ? lack - 1 : 0)
      }
    }
    return targets
  }

  private lackOf({ pool, cluster, hash }: WantedPool): number {
    const { members, setbacks } = this.parts
    const target = warmTarget(pool, members.playing(cluster, hash).length)
    const here = members.sound(cluster, hash)
    for (const { server } of here) setbacks.stands(hash, Date.parse(server.metadata.creationTimestamp ?? ''))
    return setbacks.mayTry(hash) ? target : Math.min(target, here.length)
  }
}
