import type { Clock, Logger } from '@matchyard/core/ports'
import type { Setbacks } from '../../kit/index'
import type { Cluster } from '../cluster'
import { conditionOf, isOver } from '../condition'
import type { Waiting } from '../heard'
import type { GameServerItem } from '../kube/shapes'
import { isGoing, isOfFleet, tookItself } from './member-state'

/**
 * Number of game servers that ended before a launch took them and that are remembered, so that each end is counted
 * once.
 */
const REMEMBERED_ENDS = 1_000
const ENDED = 'a game server ended while it waited for its match'
const TOOK_ITSELF = 'a game server that waited for its match made itself Allocated or Reserved'

interface PoolMembersParts {
  readonly clock: Clock
  readonly logger: Logger
  readonly setbacks: Setbacks
}

/** Finds the game servers of each warm pool, and counts the game servers that ended before a launch took them. */
export class PoolMembers {
  /** Uids of game servers that ended before a launch took them, and that were counted already. */
  private readonly ended = new Set<string>()

  constructor(private readonly parts: PoolMembersParts) {}

  /** Returns the game servers of a warm pool that launches have taken and that have not ended. */
  playing(cluster: Cluster, hash: string): readonly GameServerItem[] {
    return cluster.heard.taken(hash).filter((server) => !isGoing(server) && !isOver(server))
  }

  /** Returns the game servers of a warm pool that a launch may take. */
  sound(cluster: Cluster, hash: string): readonly Waiting[] {
    return cluster.heard.waiting(hash).filter((one) => this.isSound(one))
  }

  /** Whether a launch may take a warm game server. When no launch can ever take it, the method counts its end once. */
  isSound({ pool, server, pod }: Waiting): boolean {
    if (isGoing(server)) return false
    const hasEnded = isOver(server) || conditionOf(server, pod, this.parts.clock.now()).is === 'ended'
    if (!hasEnded && !tookItself(server)) return true
    this.noteEnd(pool, server, hasEnded ? ENDED : TOOK_ITSELF)
    return false
  }

  /** Returns the number of game servers with players that count towards the size of their fleet. */
  counted(cluster: Cluster, hash: string): number {
    return this.playing(cluster, hash).filter(isOfFleet).length
  }

  /**
   * Counts the end of a warm game server as a failure of its pool, which causes a pause. The platform replaces an ended
   * game server at once; without a pause, a server that always ends would be replaced without limit.
   */
  private noteEnd(hash: string, { metadata: { uid, name } }: GameServerItem, what: string): void {
    if (this.ended.has(uid)) return
    this.ended.add(uid)
    if (this.ended.size > REMEMBERED_ENDS) this.ended.delete([...this.ended][0] ?? '')
    const seconds = Math.round(this.parts.setbacks.note(hash) / 1_000)
    this.parts.logger.warn(what, { warm: name, again_in_s: seconds })
  }
}
