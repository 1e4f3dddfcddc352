import type { LaunchResult, LaunchSpec, RoomAnswer, RoomWish } from '@matchyard/core/ports'
import { type HeldRoom, isLimited, KeyedQueue, type NodeLimits, othersOf, roomBeside } from '@matchyard/core/ports'
import { noRoom } from './launch-results'

/**
 * Holds one node to its limits. What counts is what runs here, what is being launched here, and what core's records give to this node
 * (`held`). Nothing is kept on disk for it: what runs is found again, and the records are the service's.
 */
export class RoomKeeper {
  private readonly turns = new KeyedQueue()
  /** Under way: not yet among what runs, for sure. */
  private readonly launching = new Map<string, HeldRoom>()

  constructor(
    private readonly limits: NodeLimits,
    /** What runs here, or may begin to: by instance, each once. */
    private readonly running: () => Promise<readonly HeldRoom[]>,
  ) {}

  /** Whether there is anything to keep. */
  get isLimited(): boolean {
    return isLimited(this.limits)
  }

  async admit({ instanceId, tierSize, held }: RoomWish): Promise<RoomAnswer> {
    if (!isLimited(this.limits)) return { ok: true }
    const records = await held()
    return roomBeside(this.limits, othersOf(instanceId, records, await this.taken()), tierSize)
  }

  /** Launches what there is room for; two that fit alone and not together are not both launched. */
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

  /** Whether one more fits beside all that runs and is being launched, and beside these; what is to be launched itself is not counted. */
  async fitsBeside(instanceId: string, tierSize: HeldRoom['tierSize'], others: readonly HeldRoom[]): Promise<boolean> {
    if (!isLimited(this.limits)) return true
    return roomBeside(this.limits, othersOf(instanceId, others, await this.taken()), tierSize).ok
  }

  private async taken(): Promise<HeldRoom[]> {
    // Before the look: what ends its launch meanwhile is in this or in what the look finds.
    const launching = [...this.launching.values()]
    return [...launching, ...(await this.running())]
  }
}
