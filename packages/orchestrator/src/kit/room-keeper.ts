import type { LaunchResult, LaunchSpec, RoomAnswer, RoomWish } from '@matchyard/core/ports'
import { type HeldRoom, isLimited, KeyedQueue, type NodeLimits, othersOf, roomBeside } from '@matchyard/core/ports'
import { noRoom } from './launch-results'

/**
 * Enforces the limits of one node. Counts the servers that run here, the launches in progress, and the servers that the
 * core's records assign to this node (`held`). The class stores nothing on disk: running servers are found again after
 * a restart.
 */
export class RoomKeeper {
  private readonly turns = new KeyedQueue()
  /** Launches in progress, which the list of running servers may not contain yet. */
  private readonly launching = new Map<string, HeldRoom>()

  constructor(
    private readonly limits: NodeLimits,
    /** Returns the servers that run here or may start, each instance once. */
    private readonly running: () => Promise<readonly HeldRoom[]>,
  ) {}

  /** Whether the node has any limit. */
  get isLimited(): boolean {
    return isLimited(this.limits)
  }

  async admit({ instanceId, tierSize, held }: RoomWish): Promise<RoomAnswer> {
    if (!isLimited(this.limits)) return { ok: true }
    const records = await held()
    return roomBeside(this.limits, othersOf(instanceId, records, await this.taken()), tierSize)
  }

  /**
   * Launches a server if it fits into the limits. Of two concurrent launches that fit only one at a time, one is
   * refused.
   */
  async launch<T>(
    { instanceId, tierSize }: Pick<LaunchSpec, 'instanceId' | 'tierSize'>,
    launch: () => Promise<T>,
  ): Promise<T | LaunchResult> {
    if (!isLimited(this.limits)) return launch()
    const answer = await this.turns.run('room', async () => {
      const room = roomBeside(this.limits, othersOf(instanceId, [], await this.taken()), tierSize)
      if (room.ok) this.launching.set(instanceId, { instanceId, tierSize })
      return room
    })
    if (!answer.ok) return noRoom(answer.message)
    try {
      return await launch()
    } finally {
      this.launching.delete(instanceId)
    }
  }

  /**
   * Whether the node has capacity for a server in addition to all running servers, all launches in progress, and
   * `others`. If the instance itself is among them, it is not counted.
   */
  async fitsBeside(instanceId: string, tierSize: HeldRoom['tierSize'], others: readonly HeldRoom[]): Promise<boolean> {
    if (!isLimited(this.limits)) return true
    return roomBeside(this.limits, othersOf(instanceId, others, await this.taken()), tierSize).ok
  }

  private async taken(): Promise<HeldRoom[]> {
    // The launches are copied before the query for running servers. So a launch that finishes meanwhile is in this copy
    // or in the result of the query.
    const launching = [...this.launching.values()]
    return [...launching, ...(await this.running())]
  }
}
