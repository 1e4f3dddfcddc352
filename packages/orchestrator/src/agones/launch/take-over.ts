import type { Clock, LaunchResult, LaunchSpec, Logger } from '@matchyard/core/ports'
import { final, noRoom, OK } from '../../kit/index'
import type { Cluster } from '../cluster'
import { conditionOf, hopeless, REFUSED, REFUSED_ALONE, stateOf } from '../condition'
import type { Pauses } from '../kube/client'
import type { GameServerItem } from '../kube/shapes'
import type { WarmPools } from '../pools/warm-pools'
import { PodRefusals } from './pod-refusals'
import { undo } from './withdraw'

/**
 * Milliseconds during which a launch watches whether the platform can start the game server. When the start takes
 * longer, for example because of a large image, the launch counts as successful so far.
 */
const TAKEN_OVER_MS = 5_000

interface TakeOverParts {
  readonly pools: WarmPools
  readonly clock: Clock
  readonly pauses: Pauses
  readonly logger: Logger
}

/** Last step of a launch: waits until the platform starts the game server, or reports that it cannot. */
export class TakeOver {
  private readonly refusals: PodRefusals

  constructor(private readonly parts: TakeOverParts) {
    this.refusals = new PodRefusals(parts.clock)
  }

  /**
   * Waits at most 5 seconds until the platform has started the game server, or until it is clear that it never will.
   * Returns the result of the launch.
   */
  async outcome(cluster: Cluster, spec: LaunchSpec, server: GameServerItem): Promise<LaunchResult> {
    const { name, uid } = server.metadata
    const until = this.parts.pauses.now() + TAKEN_OVER_MS
    for (;;) {
      const now = cluster.heard.knownByName(name)
      if (now === undefined || now.server.metadata.uid !== uid) return OK // the game server ended and was removed
      if (now.pod !== undefined) this.refusals.noteTaken(cluster, spec)
      const why = hopeless(now.pod)
      if (why !== undefined) {
        await undo(cluster, now.server)
        return final(why)
      }
      if (now.server.status?.state === 'Error' && now.pod === undefined)
        return this.withoutPod(cluster, spec, now.server)
      const { running, terminated } = stateOf(now.pod) ?? {}
      const isGone = conditionOf(now.server, now.pod, this.parts.clock.now()).is === 'gone'
      if (running !== undefined || terminated !== undefined || isGone) return OK
      if (this.parts.pauses.now() >= until) return OK
      await this.whenChanged(cluster, name, until - this.parts.pauses.now())
    }
  }

  private async withoutPod(cluster: Cluster, spec: LaunchSpec, server: GameServerItem): Promise<LaunchResult> {
    const verdict = this.refusals.judge(cluster, spec, server)
    if (verdict === 'gives way') this.parts.pools.giveWay(cluster)
    await undo(cluster, server)
    const words = { game_server: server.metadata.name, cluster: cluster.name, taken_for: verdict }
    this.parts.logger.warn('Agones could not make the pod of a game server', words)
    // The reason is a guess. If a full quota was mistaken for a policy, the match must still be able to wait until its
    // deadline.
    return noRoom(verdict === 'policy' ? REFUSED_ALONE : REFUSED)
  }

  private async whenChanged(cluster: Cluster, name: string, ms: number): Promise<void> {
    const changed = new AbortController()
    const unsubscribe = cluster.heard.subscribe((one) => one === name && changed.abort())
    await this.parts.pauses.pause(Math.max(1, ms), changed.signal).catch(() => {})
    unsubscribe()
  }
}
