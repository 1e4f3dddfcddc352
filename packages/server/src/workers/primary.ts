import type { Logger, Timers } from '@matchyard/core/ports'
import { collectDefaultMetrics, Registry } from 'prom-client'
import { SummedFigures } from '../metrics/summed-figures'
import { workerMetrics } from '../metrics/worker-metrics'
import type { StopSignal } from '../service/signals'
import type { Answers } from './channel'
import {
  type DescribedOrchestrator,
  FIRST,
  OF_GAME_SERVERS_WITHIN_MS,
  type OfGameServers,
  type OfPrimary,
} from './words'
import { type Ended, WorkerProcess } from './worker-process'

/** A worker that ends is started again after the first; one that ends again and again after the last. */
const FIRST_PAUSE_MS = 100
const LAST_PAUSE_MS = 10_000
/** Milliseconds of uptime after which a worker's end has a reason of its own. */
const SETTLED_MS = 30_000
/** Milliseconds after which a worker without an answer counts as stalled; its earlier counts are shown. */
const FIGURES_WITHIN_MS = 1_000
/** Milliseconds of a stop: running requests get ten seconds, and so do jobs; a worker that is still running is then killed. */
const STOP_WITHIN_MS = 19_000

export interface PrimaryOptions {
  readonly count: number
  /** Additional environment of every worker. */
  readonly environment: Readonly<Record<string, string>>
  readonly timers: Timers
  readonly logger: Logger
  /** Lines of the workers' logs that found no room here. */
  readonly droppedLogLines: () => number
}

/** A worker ended before all were up; its own messages are in the log. */
export class FailedStart extends Error {
  override readonly name = 'FailedStart'
}

interface Slot {
  process: WorkerProcess
  /** By `performance.now()`; undefined before it listens. */
  upAt: number | undefined
  up: () => void
}

/** Starts the workers of one node, starts again those that end, and lets all of them stop. */
export class Primary {
  private readonly slots = new Map<number, Slot>()
  private readonly figures = new SummedFigures()
  private readonly registry = new Registry()
  private readonly countRestart: () => void
  private readonly pauses = new Map<number, number>()
  private described: DescribedOrchestrator | null = null
  private started = false
  private failStart: (error: FailedStart) => void = () => {}
  private stopping = false
  /** Where the workers listen; known once the first of them does. */
  baseUrl = ''

  constructor(private readonly options: PrimaryOptions) {
    collectDefaultMetrics({ register: this.registry })
    this.countRestart = workerMetrics(this.registry, {
      up: () => [...this.slots.values()].filter(({ upAt }) => upAt !== undefined).length,
      droppedLogLines: options.droppedLogLines,
    })
  }

  /** Resolves once all take calls. The first one comes before the others: it migrates, and finds what is wrong. Throws FailedStart. */
  async start(): Promise<void> {
    const failed = new Promise<never>((_, reject) => {
      this.failStart = reject
    })
    await Promise.race([this.beginAll(), failed])
    this.started = true
  }

  private async beginAll(): Promise<void> {
    await this.begin(FIRST)
    const others = Array.from({ length: this.options.count - FIRST }, (_, index) => index + FIRST + 1)
    await Promise.all(others.map((number) => this.begin(number)))
  }

  /** Tells all workers to stop; a worker that has not ended in time is killed. */
  async stop(signal: StopSignal): Promise<void> {
    this.stopping = true
    const processes = [...this.slots.values()].map(({ process }) => process)
    // Whoever ends without an answer has ended all the same.
    for (const { channel } of processes) channel.ask('stop', signal, STOP_WITHIN_MS).catch(() => {})
    const cancel = this.options.timers.after(STOP_WITHIN_MS, () => {
      for (const process of processes) process.kill()
    })
    await Promise.all(processes.map(({ ended }) => ended))
    cancel()
  }

  /** Starts a worker; resolves once it takes calls. */
  private begin(number: number): Promise<void> {
    const { environment, timers } = this.options
    const process = new WorkerProcess(number, environment, timers, this.answersTo(number))
    void process.ended.then((how) => this.onEnd(number, how))
    return new Promise<void>((resolve) => {
      this.slots.set(number, { process, upAt: undefined, up: resolve })
    })
  }

  private answersTo(number: number): Answers<OfPrimary> {
    const first =
      <Name extends keyof OfGameServers & string>(name: Name) =>
      (given: OfGameServers[Name]['given']): Promise<OfGameServers[Name]['answer']> => {
        const slot = this.slots.get(FIRST)
        if (slot === undefined) throw new Error('it is being started')
        return slot.process.channel.ask(name, given, OF_GAME_SERVERS_WITHIN_MS[name])
      }
    return {
      up: async ({ baseUrl, orchestrator }) => {
        const slot = this.slots.get(number)
        if (slot === undefined) return undefined
        if (number === FIRST) Object.assign(this, { baseUrl, described: orchestrator })
        slot.upAt = performance.now()
        slot.up()
        return undefined
      },
      orchestrator: async () => this.described,
      page: () => this.page(),
      logs: first('logs'),
      prepareImage: first('prepareImage'),
      prune: first('prune'),
    }
  }

  private async page(): Promise<string> {
    await Promise.all(
      [...this.slots].map(async ([number, { process }]) => {
        const figures = await process.channel.ask('figures', undefined, FIGURES_WITHIN_MS).catch(() => undefined)
        // What it had counted is kept already where it has ended meanwhile.
        if (figures !== undefined && this.slots.get(number)?.process === process) this.figures.heard(number, figures)
      }),
    )
    return this.figures.page(await this.registry.getMetricsAsJSON())
  }

  private onEnd(number: number, how: Ended): void {
    const upAt = this.slots.get(number)?.upAt
    this.slots.delete(number)
    this.figures.ended(number)
    if (this.stopping) return
    // Also of one that was up: whoever starts several wants all of them.
    if (!this.started) {
      this.failStart(new FailedStart(`worker ${number} ended before all of them listened`))
      return
    }
    const settled = upAt !== undefined && performance.now() - upAt >= SETTLED_MS
    const pauseMs = settled ? FIRST_PAUSE_MS : (this.pauses.get(number) ?? FIRST_PAUSE_MS)
    this.pauses.set(number, Math.min(2 * pauseMs, LAST_PAUSE_MS))
    const { code, signal } = how
    // One that was told to stop by itself has done what it was told.
    const tell = code === 0 ? 'info' : 'warn'
    this.options.logger[tell]('a worker ended and is started again', { worker: number, code, signal, in_ms: pauseMs })
    this.countRestart()
    this.options.timers.after(pauseMs, () => {
      if (!this.stopping) void this.begin(number)
    })
  }
}
