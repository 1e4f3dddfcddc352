import { isSharedPlace } from '../node/place'
import type { Service } from '../node/service'
import type { LaunchHands } from '../runtime/line'
import { reconcileServers } from '../runtime/reconcile'
import { SECOND_MS } from '../shared/time'

/**
 * Milliseconds between two checks of servers that are starting, stopping or restarting. The checks are needed because hints about changed
 * servers may be lost, and because deadlines cause no hints.
 */
const IN_MOTION_MS = SECOND_MS
/** Milliseconds between two checks of all servers, on a machine that no other node shares. */
const ALONE_MS = SECOND_MS
/**
 * Milliseconds between two checks of all shared servers. There may be many such servers, and hints about them are rarely lost: after a lost
 * connection, the source of hints lists the changes that it missed.
 */
const SHARED_MS = 5 * SECOND_MS
/**
 * Milliseconds between two checks of a machine without servers. The interval is long, because every start of a server sends a hint, and a
 * check reads the whole process table.
 */
const QUIET_MACHINE_MS = 10 * SECOND_MS

/** Maximum number of instances with a hint that wait for a check. Past it the next check is one of all servers. */
const MAX_HEARD_OF = 1_000

/**
 * Choice of the servers that a node checks. A server about which a hint arrived is checked at once. A server that is starting, stopping or
 * restarting is checked every second. All servers are checked at a longer interval. The cost of a change thus does not grow with the number
 * of servers that do not change.
 */
export class ServerLooks {
  private readonly heardOf = new Set<string>()
  private inMotion = new Set<string>()
  private inMotionAt = Number.NEGATIVE_INFINITY
  private allAt = Number.NEGATIVE_INFINITY
  private isBehind = true

  constructor(private readonly ctx: Service) {}

  /** Records a hint that the server with this instance id may have changed. */
  hear(instanceId: string): void {
    if (this.isBehind) return
    this.heardOf.add(instanceId)
    if (this.heardOf.size > MAX_HEARD_OF) this.missed()
  }

  /** Records that hints may have been missed, so that the next pass checks all servers. */
  missed(): void {
    this.isBehind = true
    this.heardOf.clear()
  }

  /** Makes a pass. Returns the time of the next pass. */
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
      // The machine had no servers before this pass, and has at least one now.
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
