import type { Clock, LaunchResult, LaunchSpec } from '@matchyard/core/ports'
import { OK, retry } from '../../kit/index'
import type { Cluster } from '../cluster'
import { type Condition, conditionOf, lostPod } from '../condition'
import { wasLaunched } from '../farewell/notes'
import type { Placed } from '../heard'
import type { Pauses } from '../kube/client'
import { ApiRefusal } from '../kube/errors'
import type { GameServerItem } from '../kube/shapes'
import { putAwayEnded } from './put-away-ended'

interface Standing {
  readonly server: GameServerItem
  /** All game servers of the instance, also those of other attempts. */
  readonly found: readonly Placed[]
}

/** Milliseconds within which a game server of an earlier attempt must have disappeared. */
const ENDS_WITHIN_MS = 20_000
const LOOK_AGAIN_MS = 100

/** Finds earlier launches of an instance, and decides whether an attempt may still be launched. */
export class EarlierLaunches {
  constructor(private readonly parts: { readonly clock: Clock; readonly pauses: Pauses }) {}

  /**
   * Returns the result of the attempt when earlier launches decide it; otherwise the game server of this attempt when
   * one exists; otherwise undefined. Ends the game servers of earlier attempts.
   */
  async standing(cluster: Cluster, spec: LaunchSpec): Promise<LaunchResult | Standing | undefined> {
    const overtaken = await this.overtaken(cluster, spec, await cluster.look(spec.instanceId))
    if (overtaken !== undefined) return overtaken
    const there = await cluster.look(spec.instanceId)
    // Another node began to remove this game server and may have been interrupted, so the removal is completed here.
    for (const one of there) if (this.conditionOf(one).is === 'gone') await cluster.release(one.server)
    const found = there.filter((one) => this.conditionOf(one).is !== 'gone')
    for (const one of found) if (one.attempt < spec.attempt) await this.putAway(cluster, one)
    const its = found.find(({ attempt }) => attempt === spec.attempt)
    return its && { server: its.server, found }
  }

  /**
   * Returns the result of an attempt that must not be launched any more, according to the found game servers and the
   * note of the instance. Returns undefined when the attempt may be launched.
   */
  async overtaken(
    cluster: Cluster,
    { instanceId, attempt }: LaunchSpec,
    found: readonly Placed[],
  ): Promise<LaunchResult | undefined> {
    // The note is read after the game servers, because a node writes the note before it removes a game server.
    const note = await cluster.notes.read(instanceId)
    if (wasLaunched(note, attempt)) return OK
    const newest = Math.max(...note.attempts, ...found.map((one) => one.attempt))
    return newest > attempt ? retry(`attempt ${newest} has been launched since`) : undefined
  }

  /**
   * Ends a game server of an earlier attempt and removes it from the cluster. This happens before the next attempt
   * starts, because an instance has at most one game server.
   */
  private async putAway(cluster: Cluster, one: Placed): Promise<void> {
    const until = this.parts.pauses.now() + ENDS_WITHIN_MS
    for (let now: Placed | undefined = one; now !== undefined; ) {
      const condition = await this.surely(cluster, now)
      if (condition.is === 'gone') return
      if (condition.is === 'ended') return putAwayEnded(cluster, now)
      if (this.parts.pauses.now() >= until)
        throw new ApiRefusal(0, 'Timeout', `attempt ${one.attempt} does not end`, undefined)
      await cluster.end(now.server, 0)
      await this.parts.pauses.pause(LOOK_AGAIN_MS)
      now = (await cluster.look(one.instanceId)).find(({ attempt }) => attempt === one.attempt)
    }
  }

  private conditionOf({ server, pod }: Pick<Placed, 'server' | 'pod'>): Condition {
    return conditionOf(server, pod, this.parts.clock.now())
  }

  private async surely(cluster: Cluster, placed: Placed): Promise<Condition> {
    const condition = this.conditionOf(placed)
    if (condition.is !== 'unknown') return condition
    const { server } = placed
    return (await cluster.podOf(server)) === undefined
      ? lostPod(server, this.parts.clock.now())
      : { is: 'coming', why: undefined }
  }
}
