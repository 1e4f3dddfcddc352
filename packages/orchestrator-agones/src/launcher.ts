import type { Clock, LaunchResult, LaunchSpec, Logger } from '@matchyard/core/ports'
import { final, noRoom, OK, type RoomKeeper, retry } from '@matchyard/orchestrator-kit'
import type { Cluster, Placed } from './cluster'
import { type Condition, conditionOf, hopeless, lostPod, REFUSED, stateOf } from './condition'
import { type Pauses, SECRETS } from './kube/client'
import { ApiRefusal, isQuota, isRefused } from './kube/errors'
import type { GameServerItem } from './kube/shapes'
import { configSecret, gameServerManifest, type HealthTemplate, type TierTemplate } from './manifest'
import { gameServerName, launchMark } from './names'
import { wasLaunched } from './notes'

export interface LaunchSettings {
  readonly installationId: string
  readonly templateOf: (spec: LaunchSpec) => TierTemplate
  readonly health: HealthTemplate | undefined
  readonly imagePullSecrets: readonly string[]
  readonly clock: Clock
}

/** So long it is watched whether the platform can start it at all. What takes longer (a large image) has been taken over. */
const TAKEN_OVER_MS = 5_000
/** What ran before is given so long to be gone. */
const ENDS_WITHIN_MS = 20_000
const LOOK_AGAIN_MS = 100

/**
 * Launches each (instance, attempt) once, whoever asks and whenever the service went down before: the cluster gives its name to one
 * game server, a note keeps it from being launched after it was put away, and every step can be repeated.
 */
export class Launcher {
  constructor(
    private readonly settings: LaunchSettings,
    private readonly room: RoomKeeper,
    private readonly pauses: Pauses,
    private readonly logger: Logger,
  ) {}

  /** The caller lets no two calls about one instance in at a time. Throws where the cluster does not answer: then it is to be asked again. */
  async launch(cluster: Cluster, spec: LaunchSpec): Promise<LaunchResult> {
    const standing = await this.standing(cluster, spec)
    if (standing === undefined) return this.room.launch(spec, () => this.make(cluster, spec))
    return 'ok' in standing ? standing : this.finish(cluster, spec, standing)
  }

  /** What was launched before decides: this attempt, a later one, or an earlier one that ends now. */
  private async standing(cluster: Cluster, spec: LaunchSpec): Promise<LaunchResult | GameServerItem | undefined> {
    const overtaken = await this.overtaken(cluster, spec)
    if (overtaken !== undefined) return overtaken
    const found = (await cluster.look(spec.instanceId)).filter((one) => this.conditionOf(one).is !== 'gone')
    for (const one of found) if (one.attempt < spec.attempt) await this.putAway(cluster, one)
    return found.find(({ attempt }) => attempt === spec.attempt)?.server
  }

  /** Why this attempt is not to be made any more, by what is there and by what was put away. */
  private async overtaken(cluster: Cluster, { instanceId, attempt }: LaunchSpec): Promise<LaunchResult | undefined> {
    const found = await cluster.look(instanceId)
    // After the look: what is put away has its note before it goes.
    const note = await cluster.notes.read(instanceId)
    if (wasLaunched(note, attempt)) return OK
    const newest = Math.max(...note.attempts, ...found.map((one) => one.attempt))
    return newest > attempt ? retry(`attempt ${newest} has been launched since`) : undefined
  }

  private async make(cluster: Cluster, spec: LaunchSpec): Promise<LaunchResult> {
    const { installationId, templateOf, health, imagePullSecrets } = this.settings
    if (spec.build.type !== 'docker_image')
      return final('this installation runs container images; a ZIP archive is none')
    const template = templateOf(spec)
    const manifest = gameServerManifest(spec, { installationId, template, health, imagePullSecrets })
    let server: GameServerItem
    try {
      server = await cluster.create(manifest)
    } catch (error) {
      if (!(error instanceof ApiRefusal)) throw error
      if (!isRefused(error, 409)) return this.judged(error)
      const there = await cluster.byName(gameServerName(installationId, spec.instanceId, spec.attempt))
      if (there === undefined) return retry('its name was taken until a moment ago')
      const mark = launchMark(there.metadata, installationId)
      if (mark?.instanceId !== spec.instanceId || mark.attempt !== spec.attempt) {
        return final(`the cluster has a game server named ${there.metadata.name} that is not this service's`)
      }
      server = there
    }
    // While this one was made, it may have been overtaken, or launched and put away, by another node.
    const overtaken = await this.overtaken(cluster, spec)
    if (overtaken !== undefined) {
      await this.undo(cluster, spec, server)
      return overtaken
    }
    return this.finish(cluster, spec, server)
  }

  /** The second half, which whoever finds the first one goes on with. */
  private async finish(cluster: Cluster, spec: LaunchSpec, server: GameServerItem): Promise<LaunchResult> {
    if (server.metadata.deletionTimestamp === undefined) await this.giveConfig(cluster, spec, server)
    return this.takenOver(cluster, spec, server)
  }

  private async giveConfig(cluster: Cluster, spec: LaunchSpec, server: GameServerItem): Promise<void> {
    for (let tries = 0; tries < 3; tries++) {
      try {
        await cluster.client.create(SECRETS, configSecret(spec, server.metadata))
        return
      } catch (error) {
        if (!isRefused(error, 409)) throw error
      }
      const there = await cluster.configOf(server)
      if (there?.its === true) return
      // Of a game server of this name that is gone: it would be collected, and the pod would wait for it for ever.
      if (there !== undefined) await cluster.client.delete(SECRETS, there.secret.metadata)
    }
  }

  /** Waits until the platform has started it, or will never. */
  private async takenOver(cluster: Cluster, spec: LaunchSpec, server: GameServerItem): Promise<LaunchResult> {
    const { name, uid } = server.metadata
    const until = this.pauses.now() + TAKEN_OVER_MS
    for (;;) {
      const now = cluster.knownByName(name)
      if (now === undefined || now.server.metadata.uid !== uid) return OK // it ended, and was put away
      const why = hopeless(now.pod)
      if (why !== undefined) {
        await this.undo(cluster, spec, now.server)
        return final(why)
      }
      if (now.server.status?.state === 'Error' && now.pod === undefined) {
        await this.undo(cluster, spec, now.server)
        this.logger.warn('Agones could not make the pod of a game server', { game_server: name, cluster: cluster.name })
        return noRoom(REFUSED)
      }
      const { running, terminated } = stateOf(now.pod) ?? {}
      if (running !== undefined || terminated !== undefined || this.conditionOf(now).is === 'gone') return OK
      if (this.pauses.now() >= until) return OK
      await this.whenChanged(cluster, name, until - this.pauses.now())
    }
  }

  private async whenChanged(cluster: Cluster, name: string, ms: number): Promise<void> {
    const changed = new AbortController()
    const unsubscribe = cluster.subscribe((one) => one === name && changed.abort())
    await this.pauses.pause(Math.max(1, ms), changed.signal).catch(() => {})
    unsubscribe()
  }

  /** Leaves nothing of it, not even a note: it never ran. Let go of first, so that nobody tells it as ended on its way out. */
  private async undo(cluster: Cluster, { instanceId, attempt }: LaunchSpec, server: GameServerItem): Promise<void> {
    const pod = await cluster.podOf(server)
    const placed: Placed = { instanceId, attempt, server, pod }
    await cluster.disown(server)
    await cluster.end(placed, 0)
    await cluster.release(placed)
  }

  /** An instance has one game server at most: what runs under an earlier attempt ends before the next one starts. */
  private async putAway(cluster: Cluster, one: Placed): Promise<void> {
    const until = this.pauses.now() + ENDS_WITHIN_MS
    for (let now: Placed | undefined = one; now !== undefined; ) {
      const condition = await this.surely(cluster, now)
      if (condition.is === 'gone') return
      if (condition.is === 'ended') return putAwayEnded(cluster, now)
      if (this.pauses.now() >= until)
        throw new ApiRefusal(0, 'Timeout', `attempt ${one.attempt} does not end`, undefined)
      await cluster.end(now, 0)
      await this.pauses.pause(LOOK_AGAIN_MS)
      now = (await cluster.look(one.instanceId)).find(({ attempt }) => attempt === one.attempt)
    }
  }

  private conditionOf({ server, pod }: Pick<Placed, 'server' | 'pod'>): Condition {
    return conditionOf(server, pod, this.settings.clock.now())
  }

  private async surely(cluster: Cluster, placed: Placed): Promise<Condition> {
    const condition = this.conditionOf(placed)
    if (condition.is !== 'unknown') return condition
    const { server } = placed
    return (await cluster.podOf(server)) === undefined
      ? lostPod(server, this.settings.clock.now())
      : { is: 'coming', why: undefined }
  }

  private judged(error: ApiRefusal): LaunchResult {
    if (isQuota(error)) return noRoom(`the cluster has no room for it: ${error.message}`)
    if (error.code === 422 || error.code === 400) return final(`the cluster refuses the game server: ${error.message}`)
    if (error.code === 404) return final('the cluster does not know game servers: Agones is not installed in it')
    // Its own trouble, or too much to do: the attempt stands, and is asked for again.
    if (error.code === 429 || error.code >= 500) throw error
    return retry(`the cluster could not make the game server: ${error.message}`)
  }
}

/** Its exit is told, and its log read, for the last time: the note first, so that it is never launched again. */
export async function putAwayEnded(cluster: Cluster, placed: Placed): Promise<void> {
  await cluster.notes.add(placed.instanceId, placed.attempt, await cluster.log(placed))
  await cluster.release(placed)
}
