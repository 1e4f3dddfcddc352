import { setTimeout as pause } from 'node:timers/promises'
import { BuildStoreAway, type LaunchResult, type LaunchSpec } from '@matchyard/core/ports'
import type { Container } from 'dockerode'
import {
  addressInUse,
  away,
  final,
  KEPT_ATTEMPTS,
  OK,
  portInUse,
  type RoomKeeper,
  retry,
  takenPort,
} from '../kit/index'
import { containerRequest } from './container-request'
import { type Containers, type FoundContainer, hasEnded, isAlive, isUnstarted } from './containers'
import { asking, askingUnless, EngineUnavailable, statusOf, wordsOf } from './engine'
import { containerName, LABEL } from './labels'
import type { LaunchSettings } from './launch-settings'
import type { Layout } from './layout'
import { containerLogs } from './logs'
import type { Networks } from './networks'
import type { Programs } from './programs'
import { textOf, type WarmPools } from './warm-pools'

/** Another service that made a container starts it at once, if it still can. */
const ITS_TURN_MS = 2_000
const LOOK_EVERY_MS = 25
/** The engine gives a name away some time before it lists the container. */
const PATIENCE_MS = 20_000
/** Lines of an attempt that are kept when its container goes. */
const KEPT_LINES = 10_000

/**
 * Launches each (instance, attempt) once, whoever asks and whenever the service went down before: the engine gives its
 * name to one container, whoever made it starts it, and nobody else does before giving them the time to.
 */
export class Launcher {
  constructor(
    private readonly containers: Containers,
    private readonly programs: Programs,
    private readonly layout: Layout,
    private readonly settings: LaunchSettings,
    private readonly room: RoomKeeper,
    private readonly pools: WarmPools,
  ) {}

  /** The caller lets no two calls about one instance in at a time. */
  async launch(spec: LaunchSpec, networks: Networks): Promise<LaunchResult> {
    try {
      for (const until = performance.now() + PATIENCE_MS; performance.now() < until; await pause(LOOK_EVERY_MS)) {
        const result = (await this.standing(spec)) ?? (await this.room.launch(spec, () => this.make(spec, networks)))
        if (result !== 'taken') return result
      }
      return retry('another service keeps launching it')
    } catch (error) {
      if (error instanceof BuildStoreAway) return away(error.message)
      return retry(wordsOf(error))
    }
  }

  /** What was launched before decides: this attempt, a later one, or an earlier one that ends now. */
  private async standing(spec: LaunchSpec): Promise<LaunchResult | undefined> {
    const ended = await this.layout.endedAttempts(spec.instanceId)
    if (ended.includes(spec.attempt) || isForgotten(spec.attempt, ended)) return OK
    const found = await this.containers.list(spec.instanceId)
    const newest = Math.max(...ended, ...found.map(({ attempt }) => attempt))
    if (newest > spec.attempt) return retry(`attempt ${newest} has been launched since`)
    for (const one of found) {
      if (one.attempt < spec.attempt) await this.end(one)
      else if (await this.isToldNothing(one)) return this.tell(one, spec)
      else if (await this.hasStarted(one)) return OK
    }
    return undefined
  }

  /** Whether it waited and was given to this launch by a service that went down before it told it so. */
  private async isToldNothing(found: FoundContainer): Promise<boolean> {
    return found.warmId !== undefined && !(await this.layout.isDelivered(found, found.warmId))
  }

  /** One that has ended meanwhile is made anew. */
  private async tell(found: FoundContainer, spec: LaunchSpec): Promise<LaunchResult | undefined> {
    const isTold = isAlive(found) && (await this.layout.deliver(spec, found.warmId ?? '', textOf(spec)))
    if (isTold) return OK
    await this.containers.remove(found)
    await this.layout.dropLaunch(found)
    return undefined
  }

  /** Waits for whoever made a container to start it, and removes it when they do not. */
  private async hasStarted(found: FoundContainer): Promise<boolean> {
    if (isAlive(found) || hasEnded(found)) return true
    for (const until = performance.now() + ITS_TURN_MS; performance.now() < until; await pause(LOOK_EVERY_MS)) {
      const now = await askingUnless(this.containers.of(found).inspect(), 404)
      if (now === undefined) return false
      // Being removed is no start either: that one is gone soon, and its name is free.
      if (!['created', 'removing', 'dead'].includes(now.State.Status)) return true
    }
    return !(await this.containers.removeUnstarted(found))
  }

  private async make(spec: LaunchSpec, networks: Networks): Promise<LaunchResult | 'taken'> {
    const warm = await this.pools.take(spec)
    if (warm !== 'none') return warm === 'ok' ? OK : warm
    await this.pools.makeRoom(spec)
    const taken = await takenPort(spec.networkPorts)
    if (taken !== undefined) return portInUse(taken)
    const program = await this.programs.find(spec.build)
    if (!program.ok) return final(program.message)
    const { image, root, hasShell } = program
    const configFile = await this.layout.writeConfig(spec, textOf(spec))
    const { installationId, logBytes } = this.settings
    const place = { installationId, logBytes, image, root, hasShell, configFile, network: networks.game }
    let container: Container | undefined
    try {
      const request = containerRequest(spec, place, identityOf(spec, installationId))
      container = await asking(this.containers.engine.api.createContainer(request))
      if (networks.shield !== undefined) await this.connect(container, networks.shield)
      await askingUnless(container.start(), 304)
      return OK
    } catch (error) {
      if (container === undefined && statusOf(error) === 409) {
        await this.layout.dropConfig(configFile)
        return 'taken'
      }
      return this.undo(container, configFile, error)
    }
  }

  private async connect({ id }: Container, network: string): Promise<void> {
    await asking(this.containers.engine.api.getNetwork(network).connect({ Container: id }))
  }

  /** Leaves nothing behind. An engine that went away keeps it until it is back: it is never started then, and goes. */
  private async undo(container: Container | undefined, configFile: string, error: unknown): Promise<LaunchResult> {
    if (error instanceof EngineUnavailable) return retry(error.message)
    if (container === undefined && statusOf(error) === 404) this.settings.onImageGone()
    if (container !== undefined) await askingUnless(container.remove({ force: true, v: true }), 404, 409)
    await this.layout.dropConfig(configFile)
    return judged(wordsOf(error))
  }

  /** An instance has one container at most: what runs under an earlier attempt ends before the next one starts. */
  private async end(found: FoundContainer): Promise<void> {
    const container = this.containers.of(found)
    if (isAlive(found)) {
      await askingUnless(container.kill({ signal: 'SIGKILL' }), 404, 409)
      await askingUnless(container.wait(), 404)
    }
    if (!isUnstarted(found) || !(await this.containers.removeUnstarted(found))) await this.putAway(found)
    else await this.layout.dropLaunch(found)
  }

  /** Removes an ended container, and keeps its logs. */
  async putAway(found: FoundContainer): Promise<void> {
    await this.layout.keepEnded(found, await containerLogs(this.containers.of(found), KEPT_LINES))
    await this.containers.remove(found)
    await this.layout.dropLaunch(found)
  }
}

const identityOf = ({ instanceId, attempt }: LaunchSpec, installationId: string) => ({
  name: containerName(installationId, instanceId, attempt),
  labels: { [LABEL.instance]: instanceId, [LABEL.attempt]: String(attempt) },
})

/** Older than all that are kept, where older ones were dropped: it was launched, or passed over for good. */
const isForgotten = (attempt: number, ended: readonly number[]): boolean =>
  ended.length >= KEPT_ATTEMPTS && attempt < Math.min(...ended)

/** Whether the program of an image is none that this machine can run. */
const isUnfit = (words: string): boolean =>
  /exec format error|executable file not found/i.test(words) ||
  (/permission denied/i.test(words) && /exec/i.test(words))

/** The engine tells what went wrong in words alone. */
function judged(words: string): LaunchResult {
  if (/address already in use|port is already allocated/i.test(words)) return addressInUse(words)
  if (/bind source path does not exist/i.test(words)) {
    return final('the container engine does not see the data folder of the service; both must be on one machine')
  }
  if (isUnfit(words)) {
    return final(`the game server could not be started: ${words}`)
  }
  return retry(`the container engine could not start the game server: ${words}`)
}
