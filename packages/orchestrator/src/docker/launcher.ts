import { setTimeout as pause } from 'node:timers/promises'
import { BuildStoreAway, type LaunchResult, type LaunchSpec } from '@matchyard/core/ports'
import type { Container } from 'dockerode'
import {
  addressInUse,
  away,
  final,
  KEPT_ATTEMPTS,
  machineFault,
  OK,
  portInUse,
  type RoomKeeper,
  retry,
  takenPort,
} from '../kit/index'
import { containerRequest } from './container-request'
import { type Containers, type FoundContainer, hasEnded, isAlive, isUnstarted } from './containers'
import { asking, askingUnless, EngineUnavailable, statusOf, wordsOf } from './engine'
import type { Fronts } from './fronts'
import { containerName, LABEL } from './labels'
import type { LaunchSettings } from './launch-settings'
import type { Layout } from './layout'
import { containerLogs } from './logs'
import type { Networks } from './networks'
import type { Programs } from './programs'
import { textOf, type WarmPools } from './warm-pools'

/**
 * Milliseconds for which this process waits when another process of the service created a container: the other process
 * starts the container in this time.
 */
const ITS_TURN_MS = 2_000
const LOOK_EVERY_MS = 25
/**
 * Milliseconds to wait for a container whose name is in use: the engine reserves a name before it lists the container.
 */
const PATIENCE_MS = 20_000
/** Number of log lines of an attempt that are kept when its container is removed. */
const KEPT_LINES = 10_000

/**
 * Launches each attempt of an instance once, also with several callers and after crashes of the service. The engine
 * allows the name of an attempt's container only once. The process that created a container starts it; other processes
 * wait, and then remove the container if it is not started.
 */
export class Launcher {
  constructor(
    private readonly containers: Containers,
    private readonly programs: Programs,
    private readonly layout: Layout,
    private readonly settings: LaunchSettings,
    private readonly room: RoomKeeper,
    private readonly pools: WarmPools,
    private readonly fronts: Fronts,
  ) {}

  /** Launches one attempt. The caller must not run two calls for one instance at the same time. */
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

  /**
   * Returns the result of the launch when this attempt or a later attempt was launched before, even if its container
   * has been removed; undefined when a container must be created. Ends earlier attempts.
   */
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

  /** Whether the container is a warm server that was renamed for this launch, but has no configuration yet. */
  private async isToldNothing(found: FoundContainer): Promise<boolean> {
    return found.warmId !== undefined && !(await this.layout.isDelivered(found, found.warmId))
  }

  /**
   * Writes the configuration of a warm server that the launch took. When the server has ended, removes it and returns
   * undefined.
   */
  private async tell(found: FoundContainer, spec: LaunchSpec): Promise<LaunchResult | undefined> {
    const isTold = isAlive(found) && (await this.layout.deliver(spec, found.warmId ?? '', textOf(spec)))
    if (isTold) return OK
    await this.containers.remove(found)
    await this.layout.dropLaunch(found)
    return undefined
  }

  /** Waits until the process that created a container starts it. Removes the container when it is not started. */
  private async hasStarted(found: FoundContainer): Promise<boolean> {
    if (isAlive(found) || hasEnded(found)) return true
    for (const until = performance.now() + ITS_TURN_MS; performance.now() < until; await pause(LOOK_EVERY_MS)) {
      const now = await askingUnless(this.containers.of(found).inspect(), 404)
      if (now === undefined) return false
      // A container that is being removed was never started; its name becomes free soon.
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
    const fronts = await this.fronts.choose(spec.networkPorts)
    if ('ok' in fronts) return fronts
    const program = await this.programs.find(spec.build)
    if (!program.ok) return final(program.message)
    const { image, root, hasShell } = program
    const configFile = await this.layout.writeConfig(spec, textOf(spec))
    const { installationId, logBytes } = this.settings
    const place = { installationId, logBytes, image, root, hasShell, configFile, network: networks.game, fronts }
    let container: Container | undefined
    try {
      const request = containerRequest(spec, place, identityOf(spec, installationId))
      container = await asking(this.containers.engine.api.createContainer(request))
      if (networks.shield !== undefined) await this.connect(container, networks.shield)
      const fault = await this.fronts.begin(container.id, [...fronts.values()])
      if (fault !== undefined) {
        await this.withdraw(container, configFile)
        return fault
      }
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

  /**
   * Removes a container and its configuration after a failed launch. When the engine is unreachable, they stay, and a
   * later cleanup removes the unstarted container.
   */
  private async undo(container: Container | undefined, configFile: string, error: unknown): Promise<LaunchResult> {
    if (error instanceof EngineUnavailable) return machineFault(error.message)
    if (container === undefined && statusOf(error) === 404) this.settings.onImageGone()
    await this.withdraw(container, configFile)
    return judged(wordsOf(error))
  }

  private async withdraw(container: Container | undefined, configFile: string): Promise<void> {
    if (container !== undefined) {
      await askingUnless(container.remove({ force: true, v: true }), 404, 409)
      await this.fronts.end(container.id)
    }
    await this.layout.dropConfig(configFile)
  }

  /** Ends the container of an earlier attempt: an instance has at most one running container. */
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

/**
 * Whether an attempt is older than all attempts that are kept. Such an attempt was launched or skipped before, so it
 * must not be launched now.
 */
const isForgotten = (attempt: number, ended: readonly number[]): boolean =>
  ended.length >= KEPT_ATTEMPTS && attempt < Math.min(...ended)

/** Whether an engine's message says that this machine cannot run the program of the image. */
const isUnfit = (words: string): boolean =>
  /exec format error|executable file not found/i.test(words) ||
  (/permission denied/i.test(words) && /exec/i.test(words))

/** Returns the launch result for an engine's error message: the engine returns no error codes. */
function judged(words: string): LaunchResult {
  if (/address already in use|port is already allocated/i.test(words)) return addressInUse(words)
  if (/bind source path does not exist/i.test(words)) {
    return final('the container engine does not see the data folder of the service; both must be on one machine')
  }
  if (isUnfit(words)) {
    return final(`the game server could not be started: ${words}`)
  }
  if (/no space left on device/i.test(words)) return machineFault('the disk of the container engine is full')
  return retry(`the container engine could not start the game server: ${words}`)
}
