import type { Clock, Logger } from '@matchyard/core/ports'
import type { Setbacks } from '../../kit/index'
import type { Cluster } from '../cluster'
import { conditionOf, isOver } from '../condition'
import type { Waiting } from '../heard'
import type { GameServerItem } from '../kube/shapes'
import { isGoing, isOfFleet, tookItself } from './member-state'

/** Number of remembered game servers that ended while they waited, so that each end is counted once. */
const REMEMBERED_ENDS = 1_000
const ENDED = 'a game server ended while it waited for its match'
const TOOK_ITSELF = 'a game server that waited for its match made itself Allocated or Reserved'

interface PoolMembersParts {
  readonly clock: Clock
  readonly logger: Logger
  readonly setbacks: Setbacks
}

/** Finds the game servers of each pool, and counts those that ended while they waited. */
export class PoolMembers {
  /** Uids of game servers that ended while they waited and were already counted. */
  private readonly ended = new Set<string>()

  constructor(private readonly parts: PoolMembersParts) {}

  /** Returns the game servers of a pool that launches have taken and that have not ended. */
  playing(cluster: Cluster, hash: string): readonly GameServerItem[] {
    return cluster.heard.taken(hash).filter((server) => !isGoing(server) && !isOver(server))
  }

  /** Returns the game servers of a pool that wait and may be taken. */
  sound(cluster: Cluster, hash: string): readonly Waiting[] {
    return cluster.heard.waiting(hash).filter((one) => this.isSound(one))
  }

  /** Whether a game server waits and may be taken. When it can never be taken any more, its end is counted once. */
  isSound({ pool, server, pod }: Waiting): boolean {
    if (isGoing(server)) return false
    const hasEnded = isOver(server) || conditionOf(server, pod, this.parts.clock.now()).is === 'ended'
    if (!hasEnded && !tookItself(server)) return true
    this.noteEnd(pool, server, hasEnded ? ENDED : TOOK_ITSELF)
    return false
  }

  /** Returns the number of playing game servers that count towards the size of their fleet. */
  counted(cluster: Cluster, hash: string): number {
    return this.playing(cluster, hash).filter(isOfFleet).length
  }

  /**
   * Counts the end of a waiting game server as a failure of its pool, which causes a pause. The platform replaces an
   * ended game server at once, and without a pause that would go on forever.
   */
  private noteEnd(hash: string, { metadata: { uid, name } }: GameServerItem, what: string): void {
    if (this.ended.has(uid)) return
    this.ended.add(uid)
    if (this.ended.size > REMEMBERED_ENDS) this.ended.delete([...this.ended][0] ?? '')
    const seconds = Math.round(this.parts.setbacks.note(hash) / 1_000)
    this.parts.logger.warn(what, { warm: name, again_in_s: seconds })
  }
}
