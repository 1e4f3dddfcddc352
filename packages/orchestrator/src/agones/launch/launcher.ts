import type { Clock, LaunchResult, LaunchSpec, Logger } from '@matchyard/core/ports'
import { final, noRoom, OK, type RoomKeeper, retry } from '../../kit/index'
import type { Cluster } from '../cluster'
import { type Condition, conditionOf, hopeless, lostPod, REFUSED, REFUSED_ALONE, stateOf } from '../condition'
import { wasLaunched } from '../farewell/notes'
import type { Placed } from '../heard'
import type { Pauses } from '../kube/client'
import { ApiRefusal, isJudgement, isNameTaken, isQuota } from '../kube/errors'
import type { GameServerItem } from '../kube/shapes'
import { gameServerManifest, type ManifestSettings } from '../manifest'
import { gameServerName, launchMark, poolOf } from '../names'
import { deliver, isTold } from '../pools/delivery'
import type { WarmPools } from '../pools/warm-pools'
import { claim } from './claim'
import { PodRefusals } from './pod-refusals'
import { judged } from './refusal'
import { undo, withdraw } from './withdraw'

export interface LauncherParts {
  readonly settingsOf: (spec: LaunchSpec) => ManifestSettings
  readonly room: RoomKeeper
  readonly pools: WarmPools
  readonly clock: Clock
  readonly pauses: Pauses
  readonly logger: Logger
}

interface Standing {
  readonly server: GameServerItem
  /** All that there is of the instance. */
  readonly found: readonly Placed[]
}

/** So long it is watched whether the platform can start it at all. What takes longer (a large image) has been taken over. */
const TAKEN_OVER_MS = 5_000
/** What ran before is given so long to be gone. */
const ENDS_WITHIN_MS = 20_000
const LOOK_AGAIN_MS = 100
/** What is refused because too much was asked for at once is asked for again. */
const CREATE_TRIES = 5
const CREATE_AGAIN_MS = 200
/** So many that waited may end before they are told anything; then the attempt is left to another one. */
const TAKEN_TRIES = 3

/**
 * Launches each (instance, attempt) once, whoever asks and whenever the service went down before: the cluster gives its name to one
 * game server, a note keeps it from being launched after it was put away, and every step can be repeated.
 */
export class Launcher {
  private readonly refusals: PodRefusals

  constructor(private readonly parts: LauncherParts) {
    this.refusals = new PodRefusals(parts.clock)
  }

  /** The caller lets no two calls about one instance in at a time. Throws where the cluster does not answer: then it is to be asked again. */
  async launch(cluster: Cluster, spec: LaunchSpec): Promise<LaunchResult> {
    for (let tries = 0; tries < TAKEN_TRIES; tries++) {
      const standing = await this.standing(cluster, spec)
      if (standing !== undefined && 'ok' in standing) return standing
      const result =
        standing === undefined
          ? await this.parts.room.launch(spec, () => this.make(cluster, spec))
          : await this.finish(cluster, spec, standing.server, standing.found)
      // That one was told nothing: it was no attempt.
      if (result !== 'gone') return result
    }
    return retry('the game servers that waited for it ended before they were told anything')
  }

  /** What was launched before decides: this attempt, a later one, or an earlier one that ends now. */
  private async standing(cluster: Cluster, spec: LaunchSpec): Promise<LaunchResult | Standing | undefined> {
    const overtaken = await this.overtaken(cluster, spec, await cluster.look(spec.instanceId))
    if (overtaken !== undefined) return overtaken
    const there = await cluster.look(spec.instanceId)
    // Whoever put it away may have been interrupted.
    for (const one of there) if (this.conditionOf(one).is === 'gone') await cluster.release(one.server)
    const found = there.filter((one) => this.conditionOf(one).is !== 'gone')
    for (const one of found) if (one.attempt < spec.attempt) await this.putAway(cluster, one)
    const its = found.find(({ attempt }) => attempt === spec.attempt)
    return its && { server: its.server, found }
  }

  /** Why this attempt is not to be made any more, by what is there and by what was put away. */
  private async overtaken(
    cluster: Cluster,
    { instanceId, attempt }: LaunchSpec,
    found: readonly Placed[],
  ): Promise<LaunchResult | undefined> {
    // After the look: what is put away has its note before it goes.
    const note = await cluster.notes.read(instanceId)
    if (wasLaunched(note, attempt)) return OK
    const newest = Math.max(...note.attempts, ...found.map((one) => one.attempt))
    return newest > attempt ? retry(`attempt ${newest} has been launched since`) : undefined
  }

  private async make(cluster: Cluster, spec: LaunchSpec): Promise<LaunchResult | 'gone'> {
    if (spec.build.type !== 'docker_image')
      return final('this installation runs container images; a ZIP archive is none')
    const taken = await this.parts.pools.take(cluster, spec)
    if (taken !== undefined) return this.finish(cluster, spec, taken, [])
    const server = await this.created(cluster, spec)
    if ('ok' in server) return server
    // While this one was made, it may have been overtaken, or launched and put away, by another node.
    const found = await cluster.look(spec.instanceId)
    const overtaken = await this.overtaken(cluster, spec, found)
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
      // So many count against one quota at this moment that its own count is not written.
      await this.parts.pauses.pause(tries * CREATE_AGAIN_MS)
    }
  }

  private async ofName(cluster: Cluster, spec: LaunchSpec): Promise<GameServerItem | LaunchResult> {
    const { installationId } = this.parts.settingsOf(spec)
    const there = await cluster.byName(gameServerName(installationId, spec.instanceId, spec.attempt))
    if (there === undefined || this.conditionOf({ server: there, pod: undefined }).is === 'gone')
      return retry('its name was taken until a moment ago')
    const mark = launchMark(there.metadata, installationId)
    if (mark?.instanceId === spec.instanceId && mark.attempt === spec.attempt) return there
    return final(`the cluster has a game server named ${there.metadata.name} that is not this service's`)
  }

  /** The second half, which whoever finds the first one goes on with. `gone`: it has ended, and was told nothing. */
  private async finish(
    cluster: Cluster,
    spec: LaunchSpec,
    server: GameServerItem,
    found: readonly Placed[],
  ): Promise<LaunchResult | 'gone'> {
    const isWarm = poolOf(server.metadata) !== undefined
    if (!isWarm && server.metadata.deletionTimestamp !== undefined) return this.takenOver(cluster, spec, server)
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
    // Whoever was refused the claim may take it away at this moment.
    if (!isWarm && !(await cluster.keep(server))) return 'gone'
    if (!(await this.withdrawOthers(cluster, spec, server, found))) return 'gone'
    return isWarm ? this.tell(cluster, spec, server, claimed.text) : this.takenOver(cluster, spec, server)
  }

  /** To one that waited, and that the attempt is claimed for. */
  private async tell(
    cluster: Cluster,
    spec: LaunchSpec,
    server: GameServerItem,
    text: string,
  ): Promise<LaunchResult | 'gone'> {
    if (isTold(server, await cluster.podOf(server), spec)) return this.takenOver(cluster, spec, server)
    const found = await cluster.look(spec.instanceId)
    // What another node made meanwhile goes before this one is told anything: it would go on with that when this one has ended.
    const isAlone = await this.withdrawOthers(cluster, spec, server, found)
    const overtaken = await this.overtaken(cluster, spec, found)
    const { installationId } = this.parts.settingsOf(spec)
    const may = isAlone && overtaken === undefined
    try {
      if (may && (await deliver(cluster, spec, server, { installationId, text })))
        return this.takenOver(cluster, spec, server)
    } catch (error) {
      // A policy, or a right that is missing: what waits can be told nothing, and the match need not wait with it.
      if (!(error instanceof ApiRefusal) || !isJudgement(error)) throw error
      this.parts.pools.leaveAlone(cluster, error)
    }
    await withdraw(cluster, spec, server)
    return overtaken ?? 'gone'
  }

  /**
   * What was made for an attempt that another is claimed for: by another node, or by Agones, which takes a second one where it does not hear its
   * own answer. False where one of them was told meanwhile: while this node stood still the claim was given on.
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
    return found.filter((one) => one.attempt === attempt && this.conditionOf(one).is !== 'gone')
  }

  /** Waits until the platform has started it, or will never. */
  private async takenOver(cluster: Cluster, spec: LaunchSpec, server: GameServerItem): Promise<LaunchResult> {
    const { name, uid } = server.metadata
    const until = this.parts.pauses.now() + TAKEN_OVER_MS
    for (;;) {
      const now = cluster.heard.knownByName(name)
      if (now === undefined || now.server.metadata.uid !== uid) return OK // it ended, and was put away
      if (now.pod !== undefined) this.refusals.noteTaken(cluster, spec)
      const why = hopeless(now.pod)
      if (why !== undefined) {
        await undo(cluster, now.server)
        return final(why)
      }
      if (now.server.status?.state === 'Error' && now.pod === undefined)
        return this.withoutPod(cluster, spec, now.server)
      const { running, terminated } = stateOf(now.pod) ?? {}
      if (running !== undefined || terminated !== undefined || this.conditionOf(now).is === 'gone') return OK
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
    // Which of the two it is is a guess: a quota that was taken for a policy must not end a match before its deadline.
    return noRoom(verdict === 'policy' ? REFUSED_ALONE : REFUSED)
  }

  private async whenChanged(cluster: Cluster, name: string, ms: number): Promise<void> {
    const changed = new AbortController()
    const unsubscribe = cluster.heard.subscribe((one) => one === name && changed.abort())
    await this.parts.pauses.pause(Math.max(1, ms), changed.signal).catch(() => {})
    unsubscribe()
  }

  /** An instance has one game server at most: what runs under an earlier attempt ends before the next one starts. */
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

  private judged(cluster: Cluster, error: ApiRefusal, what: string): LaunchResult {
    if (isQuota(error)) this.parts.pools.giveWay(cluster)
    return judged(error, what)
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

const isIt = ({ server }: Placed, uid: string): boolean => server.metadata.uid === uid

/** Its exit is told, and its log read, for the last time: the note first, so that it is never launched again. */
export async function putAwayEnded(cluster: Cluster, placed: Placed): Promise<void> {
  await cluster.notes.add(placed.instanceId, placed.attempt, await cluster.logs.last(placed))
  await cluster.release(placed.server)
}
