import type { Clock, Logger } from '@matchyard/core/ports'
import type { Setbacks } from '../../kit/index'
import type { Cluster } from '../cluster'
import { conditionOf, isOver } from '../condition'
import type { Waiting } from '../heard'
import type { GameServerItem } from '../kube/shapes'
import { isGoing, isOfFleet, tookItself } from './member-state'

/** Of servers that ended while they waited, so many are told apart from those whose end is news. */
const REMEMBERED_ENDS = 1_000
const ENDED = 'a game server ended while it waited for its match'
const TOOK_ITSELF = 'a game server that waited for its match made itself Allocated or Reserved'

interface PoolMembersParts {
  readonly clock: Clock
  readonly logger: Logger
  readonly setbacks: Setbacks
}

/** The game servers of each pool. */
export class PoolMembers {
  /** Servers whose end while they waited was noted. */
  private readonly ended = new Set<string>()

  constructor(private readonly parts: PoolMembersParts) {}

  /** Those that launches have taken. */
  playing(cluster: Cluster, hash: string): readonly GameServerItem[] {
    return cluster.heard.taken(hash).filter((server) => !isGoing(server) && !isOver(server))
  }

  /** Those that wait, and may be taken. */
  sound(cluster: Cluster, hash: string): readonly Waiting[] {
    return cluster.heard.waiting(hash).filter((one) => this.isSound(one))
  }

  /** Whether it waits, and may be taken; that it will not be is noted, once. */
  isSound({ pool, server, pod }: Waiting): boolean {
    if (isGoing(server)) return false
    const hasEnded = isOver(server) || conditionOf(server, pod, this.parts.clock.now()).is === 'ended'
    if (!hasEnded && !tookItself(server)) return true
    this.noteEnd(pool, server, hasEnded ? ENDED : TOOK_ITSELF)
    return false
  }

  /** Those that play count towards the size of their fleet. */
  counted(cluster: Cluster, hash: string): number {
    return this.playing(cluster, hash).filter(isOfFleet).length
  }

  /** The platform replaces what ends at once: that must not go on for ever. */
  private noteEnd(hash: string, { metadata: { uid, name } }: GameServerItem, what: string): void {
    if (this.ended.has(uid)) return
    this.ended.add(uid)
    if (this.ended.size > REMEMBERED_ENDS) this.ended.delete([...this.ended][0] ?? '')
    const seconds = Math.round(this.parts.setbacks.note(hash) / 1_000)
    this.parts.logger.warn(what, { warm: name, again_in_s: seconds })
  }
}
