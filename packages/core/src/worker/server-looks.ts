import type { Service } from '../node/service'
import type { LaunchHands } from '../runtime/line'
import { isSharedPlace } from '../runtime/place'
import { reconcileServers } from '../runtime/reconcile'
import { SECOND_MS } from '../shared/time'

/** Interval of checks of instances in transition without a hint: hints may be lost, and deadlines have none. */
const IN_MOTION_MS = SECOND_MS
/** All that runs on this machine alone. */
const ALONE_MS = SECOND_MS
/**
 * Interval for shared servers at rest: they are many, and a source of hints that reconnects lists what it missed, so at most a hint is lost.
 */
const SHARED_MS = 5 * SECOND_MS
/** Interval of checks of an idle machine: every new start reports itself, and a check reads the process table. */
const QUIET_MACHINE_MS = 10 * SECOND_MS

/**
 * Which servers a node looks at, and when: those that it heard of at once, those in motion every second, and all of them now and then. So what a
 * change costs does not grow with how many are at rest.
 */
export class ServerLooks {
  private readonly heardOf = new Set<string>()
  private inMotion = new Set<string>()
  private inMotionAt = Number.NEGATIVE_INFINITY
  private allAt = Number.NEGATIVE_INFINITY
  private isBehind = true

  constructor(private readonly ctx: Service) {}

  /** Something may have become of this one. */
  hear(instanceId: string): void {
    this.heardOf.add(instanceId)
  }

  /** Something may have been missed: the next look is at all. */
  missed(): void {
    this.isBehind = true
  }

  /** Makes a pass. Returns the time of the next one. */
  async look(hands: LaunchHands): Promise<number> {
    const isOfAll = this.isBehind || this.ctx.clock.now() >= this.allAt
    this.isBehind = false
    try {
      await (isOfAll ? this.lookAtAll(hands) : this.lookAtSome(hands))
    } catch (error) {
      this.missed()
      throw error
    }
    return this.inMotion.size > 0 ? Math.min(this.allAt, this.inMotionAt) : this.allAt
  }

  private async lookAtAll(hands: LaunchHands): Promise<void> {
    const { clock } = this.ctx
    this.heardOf.clear()
    const { count, inMotion } = await reconcileServers(this.ctx, { hands })
    this.inMotion = new Set(inMotion)
    this.allAt = clock.now() + (count > 0 ? this.everyMs : QUIET_MACHINE_MS)
    this.inMotionAt = clock.now() + IN_MOTION_MS
  }

  private async lookAtSome(hands: LaunchHands): Promise<void> {
    const { clock, node } = this.ctx
    const isTime = clock.now() >= this.inMotionAt
    const among = new Set([...this.heardOf, ...(isTime ? this.inMotion : [])])
    this.heardOf.clear()
    if (among.size > 0) {
      const { count, inMotion } = await reconcileServers(this.ctx, { hands, among })
      // A machine was quiet, and is not any more.
      if (count > 0) this.allAt = Math.min(this.allAt, clock.now() + this.everyMs)
      for (const id of among) this.inMotion.delete(id)
      for (const id of inMotion) this.inMotion.add(id)
    }
    if (!isTime) return
    node.watched.looked(clock.now())
    this.inMotionAt = clock.now() + IN_MOTION_MS
  }

  private get everyMs(): number {
    return isSharedPlace(this.ctx) ? SHARED_MS : ALONE_MS
  }
}
