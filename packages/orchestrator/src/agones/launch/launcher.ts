import type { Clock, LaunchResult, LaunchSpec, Logger } from '@matchyard/core/ports'
import { final, type RoomKeeper, retry } from '../../kit/index'
import type { Cluster } from '../cluster'
import { conditionOf } from '../condition'
import type { Placed } from '../heard'
import type { Pauses } from '../kube/client'
import { ApiRefusal, isJudgement, isNameTaken, isQuota } from '../kube/errors'
import type { GameServerItem } from '../kube/shapes'
import { gameServerManifest, type ManifestSettings } from '../manifest'
import { gameServerName, launchMark, poolOf } from '../names'
import { deliver, isTold } from '../pools/delivery'
import type { WarmPools } from '../pools/warm-pools'
import { claim } from './claim'
import { EarlierLaunches } from './earlier-launches'
import { judged } from './refusal'
import { TakeOver } from './take-over'
import { undo, withdraw } from './withdraw'

export interface LauncherParts {
  readonly settingsOf: (spec: LaunchSpec) => ManifestSettings
  readonly room: RoomKeeper
  readonly pools: WarmPools
  readonly clock: Clock
  readonly pauses: Pauses
  readonly logger: Logger
}

/**
 * Number of tries to create a game server, when the cluster refuses because many objects are created at the same time.
 */
const CREATE_TRIES = 5
const CREATE_AGAIN_MS = 200
/**
 * Number of warm game servers that may end before they get the configuration of a launch. After that the launch returns
 * `retry`.
 */
const TAKEN_TRIES = 3

/**
 * Launches each pair of instance and attempt once, for any number of nodes and after a crash at any step. The cluster
 * allows each name of a game server only once. After the first game server was removed, a note prevents a second
 * launch. Every step can be repeated.
 */
export class Launcher {
  private readonly earlier: EarlierLaunches
  private readonly takeOver: TakeOver

  constructor(private readonly parts: LauncherParts) {
    this.earlier = new EarlierLaunches(parts)
    this.takeOver = new TakeOver(parts)
  }

  /**
   * Launches an attempt. The caller allows only one call at a time for each instance. Rejects when the cluster does not
   * answer; then the caller must repeat the call.
   */
  async launch(cluster: Cluster, spec: LaunchSpec): Promise<LaunchResult> {
    for (let tries = 0; tries < TAKEN_TRIES; tries++) {
      const standing = await this.earlier.standing(cluster, spec)
      if (standing !== undefined && 'ok' in standing) return standing
      const result =
        standing === undefined
          ? await this.parts.room.launch(spec, () => this.make(cluster, spec))
          : await this.finish(cluster, spec, standing.server, standing.found)
      // The game server ended without its configuration. It does not count as an attempt, so another game server is
      // tried.
      if (result !== 'gone') return result
    }
    return retry('the warm game servers ended before they got their configuration')
  }

  private async make(cluster: Cluster, spec: LaunchSpec): Promise<LaunchResult | 'gone'> {
    if (spec.build.type !== 'docker_image') return final('this installation runs container images, and no ZIP archives')
    const taken = await this.parts.pools.take(cluster, spec)
    if (taken !== undefined) return this.finish(cluster, spec, taken, [])
    const server = await this.created(cluster, spec)
    if ('ok' in server) return server
    // While this game server was being created, another node may have launched a later attempt, or may have launched
    // this attempt and removed its game server.
    const found = await cluster.look(spec.instanceId)
    const overtaken = await this.earlier.overtaken(cluster, spec, found)
    if (overtaken !== undefined) {
      await undo(cluster, server)
      return overtaken
    }
    return this.finish(cluster, spec, server, found)
  }

  private async created(cluster: Cluster, spec: LaunchSpec): Promise<GameServerItem | LaunchResult> {
    const settings = this.parts.settingsOf(spec)
    for (let tries = 1; ; tries++) {
      try {
        return await cluster.create(gameServerManifest(spec, settings))
      } catch (error) {
        if (!(error instanceof ApiRefusal)) throw error
        if (isNameTaken(error)) return this.ofName(cluster, spec)
        if (error.code !== 409 || tries === CREATE_TRIES) return this.judged(cluster, error, 'the game server')
      }
      // A 409 here means that the cluster could not update the count of a quota, because many objects count against it
      // at this moment.
      await this.parts.pauses.pause(tries * CREATE_AGAIN_MS)
    }
  }

  private async ofName(cluster: Cluster, spec: LaunchSpec): Promise<GameServerItem | LaunchResult> {
    const { installationId } = this.parts.settingsOf(spec)
    const there = await cluster.byName(gameServerName(installationId, spec.instanceId, spec.attempt))
    if (there === undefined || conditionOf(there, undefined, this.parts.clock.now()).is === 'gone')
      return retry('its name was taken until a moment ago')
    const mark = launchMark(there.metadata, installationId)
    if (mark?.instanceId === spec.instanceId && mark.attempt === spec.attempt) return there
    return final(`the cluster has a game server named ${there.metadata.name} that is not this service's`)
  }

  /**
   * Completes a launch, even when another process began it. Returns `gone` when the game server ended without its
   * configuration.
   */
  private async finish(
    cluster: Cluster,
    spec: LaunchSpec,
    server: GameServerItem,
    found: readonly Placed[],
  ): Promise<LaunchResult | 'gone'> {
    const isWarm = poolOf(server.metadata) !== undefined
    if (!isWarm && server.metadata.deletionTimestamp !== undefined) return this.takeOver.outcome(cluster, spec, server)
    const { installationId } = this.parts.settingsOf(spec)
    const claimed = await claim(cluster, spec, server, {
      installationId,
      isThere: async (uid) => this.ofAttempt(spec, await cluster.look(spec.instanceId)).some((one) => isIt(one, uid)),
    })
    if ('refused' in claimed)
      return (await withdraw(cluster, spec, server))
        ? this.judged(cluster, claimed.refused, 'its configuration')
        : 'gone'
    if (!claimed.its) {
      await withdraw(cluster, spec, server)
      return 'gone'
    }
    // A node without the claim may remove this game server at this moment.
    if (!isWarm && !(await cluster.keep(server))) return 'gone'
    if (!(await this.withdrawOthers(cluster, spec, server, found))) return 'gone'
    return isWarm ? this.tell(cluster, spec, server, claimed.text) : this.takeOver.outcome(cluster, spec, server)
  }

  /** Gives the configuration to a warm game server that has the claim of the attempt. */
  private async tell(
    cluster: Cluster,
    spec: LaunchSpec,
    server: GameServerItem,
    text: string,
  ): Promise<LaunchResult | 'gone'> {
    if (isTold(server, await cluster.podOf(server), spec)) return this.takeOver.outcome(cluster, spec, server)
    const found = await cluster.look(spec.instanceId)
    // A game server that another node created meanwhile is removed first. Otherwise the other node would continue with
    // that game server after this game server has ended.
    const isAlone = await this.withdrawOthers(cluster, spec, server, found)
    const overtaken = await this.earlier.overtaken(cluster, spec, found)
    const { installationId } = this.parts.settingsOf(spec)
    const may = isAlone && overtaken === undefined
    try {
      if (may && (await deliver(cluster, spec, server, { installationId, text })))
        return this.takeOver.outcome(cluster, spec, server)
    } catch (error) {
      // The cluster refused to write the configuration, because of a policy or a missing right. So no warm game server
      // can get its configuration, and the match is launched without warm game servers.
      if (!(error instanceof ApiRefusal) || !isJudgement(error)) throw error
      this.parts.pools.leaveAlone(cluster, error)
    }
    await withdraw(cluster, spec, server)
    return overtaken ?? 'gone'
  }

  /**
   * Removes the other game servers of an attempt. Another node may have created a game server, or Agones may have
   * allocated a second one because it did not receive its own answer. Returns false when another game server got the
   * configuration meanwhile: while this node was paused, the claim passed to that game server.
   */
  private async withdrawOthers(
    cluster: Cluster,
    spec: LaunchSpec,
    { metadata }: GameServerItem,
    found: readonly Placed[],
  ): Promise<boolean> {
    for (const other of this.ofAttempt(spec, found))
      if (!isIt(other, metadata.uid) && !(await withdraw(cluster, spec, other.server))) return false
    return true
  }

  private ofAttempt({ attempt }: LaunchSpec, found: readonly Placed[]): readonly Placed[] {
    const now = this.parts.clock.now()
    return found.filter((one) => one.attempt === attempt && conditionOf(one.server, one.pod, now).is !== 'gone')
  }

  private judged(cluster: Cluster, error: ApiRefusal, what: string): LaunchResult {
    if (isQuota(error)) this.parts.pools.giveWay(cluster)
    return judged(error, what)
  }
}

const isIt = ({ server }: Placed, uid: string): boolean => server.metadata.uid === uid
