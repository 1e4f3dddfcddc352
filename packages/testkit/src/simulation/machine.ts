import { DEFAULT_TIER, type PortMapping, TIER_SIZES } from '@matchyard/core'
import {
  type HeldRoom,
  type LaunchSpec,
  type NodeLimits,
  type ObservedServer,
  othersOf,
  type RoomAnswer,
  roomBeside,
  type WarmPool,
  type WarmServers,
  warmKey,
  warmTarget,
} from '@matchyard/core/ports'
import type { Idle, SimulatedProcess, WaitingServer } from './invariants/snapshot'

/** Milliseconds from the spawn of a process until it is ready. */
const READY_AFTER_MS = 1_000
/**
 * Milliseconds from launch to ready for a warm server, and from SIGTERM to the end of a process that obeys the signal.
 */
const WARM_READY_AFTER_MS = 100
const ENDS_AFTER_MS = 500

export interface Behaviour {
  readonly exitsAtOnce?: boolean
  readonly neverReady?: boolean
  readonly ignoresSigterm?: boolean
}

/** Most milliseconds between the record of an attempt and its spawn, on a slow or paused node. */
const IN_HAND_MS = 10_000

/**
 * The machine of a node. Its processes continue to run when the node crashes. They end by themselves or when they are
 * stopped.
 */
export class Machine {
  private readonly known = new Map<string, SimulatedProcess>()
  /** Every launched pair of instance and attempt. A second launch of the same pair starts no process. */
  private readonly launched = new Set<string>()
  private pool: WaitingServer[] = []
  private nextWaiting = 1
  private underLostRecordsUntil = Number.NEGATIVE_INFINITY
  private fullUntil = Number.NEGATIVE_INFINITY
  private brokenUntil = Number.NEGATIVE_INFINITY
  /** Forbidden calls of the core to the orchestrator, as sentences. */
  readonly misuse: string[] = []
  /** All intervals in which a process was not a running server. `to` is set when the interval has ended. */
  readonly idle: Idle[] = []

  constructor(
    readonly host: string,
    /** Limits on the servers that run at the same time. */
    readonly limits: NodeLimits = {},
  ) {}

  get processes(): readonly SimulatedProcess[] {
    return [...this.known.values()]
  }

  get alive(): readonly SimulatedProcess[] {
    return this.processes.filter((process) => process.state !== 'exited')
  }

  wasLaunched(spec: LaunchSpec): boolean {
    return this.launched.has(nameOf(spec))
  }

  holds(port: PortMapping): boolean {
    const held = [...this.alive, ...this.pool].flatMap(({ ports }) => ports)
    return held.some(({ externalPort }) => externalPort === port.externalPort)
  }

  get waiting(): readonly WaitingServer[] {
    return this.pool
  }

  /** Returns the warm server that a launch with these ports would take; undefined when there is no such server. */
  waitsFor(spec: LaunchSpec): WaitingServer | undefined {
    const ports = JSON.stringify(spec.networkPorts)
    return this.pool.find((one) => one.key === warmKey(spec) && JSON.stringify(one.ports) === ports)
  }

  /** Removes the warm server for a launch from the pool, and returns it. */
  private take(spec: LaunchSpec): WaitingServer | undefined {
    const taken = this.waitsFor(spec)
    this.pool = this.pool.filter((one) => one !== taken)
    return taken
  }

  private ends(name: string, now: number): void {
    for (const idle of this.idle) if (idle.name === name) idle.to ??= now
  }

  /** Removes a warm server that ended before a launch took it. */
  endWaiting(server: WaitingServer): void {
    this.pool = this.pool.filter((one) => one !== server)
  }

  /**
   * Starts and ends warm servers until they match the wanted pools. When the capacity is not enough for all servers,
   * running servers have precedence.
   */
  keepWarm(
    pools: readonly WarmPool[],
    propose: (pool: WarmPool) => readonly PortMapping[],
    now: number,
  ): readonly WarmServers[] {
    const wanted = pools.map((pool) => {
      const key = warmKey(pool)
      const playing = this.alive.filter((one) => one.warm !== undefined && one.pool === key).length
      return { pool, key, count: warmTarget(pool, playing) }
    })
    this.pool = wanted.flatMap(({ key, count }) => this.pool.filter((one) => one.key === key).slice(0, count))
    for (const { pool, key, count } of wanted) {
      const limit = this.limits.maxServers ?? Number.POSITIVE_INFINITY
      while (this.waitingIn(key).length < count && this.alive.length + this.pool.length < limit) {
        const ports = propose(pool)
        if (ports.some((port) => this.holds(port))) break
        const id = `${this.host}/warm_${this.nextWaiting++}`
        this.pool.push({ id, key, ports })
        this.idle.push({ instanceId: undefined, name: id, from: now, to: undefined })
      }
    }
    const there = new Set(this.pool.map(({ id }) => id))
    for (const { name, instanceId } of this.idle) if (instanceId === undefined && !there.has(name)) this.ends(name, now)
    return wanted.map(({ key }) => ({ key, ready: this.waitingIn(key).map(({ id }) => id) }))
  }

  private waitingIn(key: string): readonly WaitingServer[] {
    return this.pool.filter((one) => one.key === key)
  }

  /** Makes the launches on the machine fail until a time, for a reason of the machine. */
  breakUntil(until: number): void {
    this.brokenUntil = until
  }

  isBroken(now: number): boolean {
    return now < this.brokenUntil
  }

  /** Makes the machine report no free capacity until a time, as if other programs used it. */
  fill(until: number): void {
    this.fullUntil = until
  }

  /**
   * Whether the machine has capacity for one more server in addition to the recorded servers and the running servers.
   * Every process has the smallest size.
   */
  room(instanceId: string, records: readonly HeldRoom[], tierSize: HeldRoom['tierSize'], now: number): RoomAnswer {
    if (now < this.fullUntil) return { ok: false, reason: 'full', message: 'somebody else has taken all there is' }
    const running = this.alive.map((one) => ({ instanceId: one.instanceId, tierSize: TIER_SIZES[DEFAULT_TIER] }))
    return roomBeside(this.limits, othersOf(instanceId, records, running), tierSize)
  }

  /** Whether the machine has launched a later attempt of the instance, so that this launch is too late. */
  isOvertaken({ instanceId, attempt }: LaunchSpec): boolean {
    return this.processes.some((process) => process.instanceId === instanceId && process.attempt > attempt)
  }

  /** Spawns a process. If the orchestrator observes another process of the instance, that process ends first. */
  spawn(spec: LaunchSpec, behaviour: Behaviour, now: number): void {
    for (const process of this.alive) {
      if (process.instanceId === spec.instanceId && !isOverlooked(process, now)) this.exit(process, null, now)
    }
    this.launched.add(nameOf(spec))
    const taken = this.take(spec)
    // When the machine is full, a new running server replaces a warm server.
    const limit = this.limits.maxServers ?? Number.POSITIVE_INFINITY
    while (taken === undefined && this.pool.length > 0 && this.alive.length + this.pool.length >= limit) this.pool.pop()
    if (taken !== undefined) this.ends(taken.id, now)
    this.idle.push({ instanceId: spec.instanceId, name: nameOf(spec), from: now, to: undefined })
    this.known.set(nameOf(spec), {
      ...(taken === undefined ? {} : { warm: taken.id, pool: taken.key }),
      startedAt: now,
      instanceId: spec.instanceId,
      attempt: spec.attempt,
      ports: spec.networkPorts,
      config: spec.config,
      obeys: behaviour.ignoresSigterm !== true,
      readyAt:
        behaviour.neverReady === true ? undefined : now + (taken === undefined ? READY_AFTER_MS : WARM_READY_AFTER_MS),
      ownWord: 'none',
      end: behaviour.exitsAtOnce === true ? { at: now, code: 1, signal: null } : undefined,
      state: 'starting',
      exit: null,
      overlookedUntil: undefined,
      ofLostHistory: now < this.underLostRecordsUntil,
    })
  }

  stop(instanceId: string, graceMs: number, now: number): void {
    for (const process of this.alive) {
      if (process.instanceId !== instanceId || isOverlooked(process, now)) continue
      const end = process.obeys
        ? { at: now + ENDS_AFTER_MS, code: null, signal: 'SIGTERM' }
        : { at: now + graceMs, code: null, signal: 'SIGKILL' }
      process.end = process.end !== undefined && process.end.at <= end.at ? process.end : end
    }
  }

  /** Ends a process although nobody asked it to stop. */
  exit(process: SimulatedProcess, code: number | null, now: number): void {
    process.end = { at: now, code, signal: null }
    this.passTime(now)
  }

  /** Hides a process from `observe` and from all requests until a time. */
  overlook(process: SimulatedProcess, until: number): void {
    process.overlookedUntil = until
  }

  /**
   * Records that the storage returned to an earlier state: the records of all processes may be lost. A node may still
   * spawn servers that were recorded before.
   */
  outlivesHistory(now: number): void {
    for (const process of this.alive) process.ofLostHistory = true
    this.underLostRecordsUntil = now + IN_HAND_MS
  }

  forget(instanceId: string, now: number): void {
    for (const [name, process] of this.known) {
      if (process.instanceId !== instanceId || isOverlooked(process, now)) continue
      if (process.state === 'exited') this.known.delete(name)
      else this.misuse.push(`${name} was forgotten while it ran`)
    }
  }

  observe(now: number): ObservedServer[] {
    return this.processes
      .filter((process) => !isOverlooked(process, now))
      .map(({ instanceId, attempt, state, exit, warm, startedAt }) => {
        const seen = { instanceId, attempt, state, exit, ...(state === 'ready' ? {} : { startedAt }) }
        return warm === undefined ? seen : { ...seen, warm }
      })
  }

  /** Changes all processes to the state that they have at `now`. */
  passTime(now: number): void {
    for (const process of this.alive) {
      if (process.end !== undefined && process.end.at <= now) {
        const { at, code, signal } = process.end
        process.state = 'exited'
        process.exit = { code, signal, at }
        this.ends(nameOf(process), at)
      } else if (process.readyAt !== undefined && process.readyAt <= now) process.state = 'ready'
    }
  }
}

const nameOf = ({ instanceId, attempt }: { instanceId: string; attempt: number }) => `${instanceId}#${attempt}`

const isOverlooked = ({ overlookedUntil }: SimulatedProcess, now: number) =>
  overlookedUntil !== undefined && now < overlookedUntil
