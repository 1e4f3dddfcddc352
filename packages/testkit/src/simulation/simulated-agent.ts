import type { AgentFacts, ObservedBatch, WantedCall } from '@matchyard/core'
import { REGIONS, type Region } from '@matchyard/core'
import { SECOND_MS } from '@matchyard/core/domain'
import {
  AgentHands,
  type Logger,
  type Orchestrator,
  RemoteControl,
  type SentBatch,
  SILENT_LOGGER,
  type Timers,
} from '@matchyard/core/ports'
import { CallOrder } from './call-order'
import type { Machine } from './machine'
import type { PortSurroundings } from './port-surroundings'
import { scheduledOrchestrator } from './scheduled-orchestrator'
import { type Life, whenItGoes } from './scheduler'

/** Milliseconds for which messages vanish before a half-open stream ends. */
const HALF_OPEN_MS = 4 * SECOND_MS
/** Milliseconds from the end of a stream to the next; 0: the next one begins at a later turn. The last is longer than calls wait. */
const AWAY_MS = [0, 0, 2 * SECOND_MS, 15 * SECOND_MS]

/** All regions, in the usual order. */
const ALL: readonly Region[] = ['iad', ...REGIONS.filter((region) => region !== 'iad')]

/** Number of messages of which one meets the fault by chance, besides the faults that commands arm. */
const ONE_IN = { 'agent-cut': 60, 'agent-half-open': 150, 'agent-repeats': 10 } as const

/** Most calls that a stream repeats. */
const REPEATED_CALLS = 30

interface AgentSurroundings extends PortSurroundings {
  readonly regions: readonly Region[] | undefined
}

/** One life of a node, as the agent sees it: a remote control, which has its stream. */
interface Served {
  readonly life: Life
  readonly control: RemoteControl
}

interface Stream {
  readonly session: string
  readonly served: Served
  readonly waiting: WantedCall[]
  /** Calls that the agent heard, of which one may arrive again. */
  readonly heard: WantedCall[]
  vanishes: boolean
  isMoving: boolean
}

/**
 * The agent of a machine, and its link to the node. The agent outlives crashes of the node; it may crash itself, at a call of its orchestrator.
 * Every message of the link waits for its turn (see `Scheduler`).
 */
export class SimulatedAgent {
  private life: Life
  private hands: AgentHands
  private order: CallOrder
  private served: Served | undefined
  private stream: Stream | undefined
  private sessions = 0

  constructor(
    private readonly id: string,
    private readonly machine: Machine,
    private readonly around: AgentSurroundings,
  ) {
    this.life = { nodeId: id, number: 0, alive: false, missed: undefined }
    this.order = new CallOrder(machine.misuse)
    this.hands = this.start()
  }

  /** Connects a life of the node, and returns the orchestrator for it. */
  serve(life: Life, { timers, logger }: { readonly timers: Timers; readonly logger: Logger }): Orchestrator {
    const { clock } = this.around
    const control = new RemoteControl({ name: 'agents', machineId: this.id, clock, timers, logger })
    this.served = { life, control }
    this.connect()
    return control.orchestrator
  }

  /** Ends the stream, because the node crashed. */
  leave(): void {
    this.served = undefined
    this.stream = undefined
    this.hands.end()
  }

  /** Starts a new life of the agent. */
  private start(): AgentHands {
    const { around, machine, id } = this
    const { clock } = around
    const life: Life = { nodeId: id, number: this.life.number + 1, alive: true, missed: undefined }
    this.life = life
    const timers = { after: (ms: number, callback: () => void) => clock.after(ms, () => whenItGoes(life, callback)) }
    this.order = new CallOrder(machine.misuse)
    const orchestrator = this.order.checked(
      scheduledOrchestrator(machine, life, { ...around, crash: () => this.crash() }),
    )
    const send = (batch: ObservedBatch) => this.carryBatch(batch)
    return new AgentHands({ orchestrator, clock, timers, logger: SILENT_LOGGER, send })
  }

  private crash(): void {
    this.around.scheduler.end(this.life)
    this.hands.close()
    this.hands = this.start()
    this.cut()
  }

  private connect(): void {
    const { served, around } = this
    if (served === undefined) return
    const stream: Stream = {
      ...{ session: `${this.id}/${++this.sessions}`, served, waiting: [], heard: [], vanishes: false, isMoving: false },
    }
    this.stream = stream
    this.hands.begin(stream.session)
    const facts: AgentFacts = {
      agentId: this.id,
      release: null,
      regions: around.regions ?? ALL,
      host: this.machine.host,
      limits: {},
      capabilities: { buildTypes: ['zip', 'docker_image'], limitations: [], keepsWarm: true },
      beacons: [],
    }
    served.control.connect(facts, stream.session, (call) => this.take(stream, copyOf(call)))
  }

  private strikes(kind: 'agent-cut' | 'agent-half-open' | 'agent-repeats'): boolean {
    const { faults, scheduler } = this.around
    if (faults.strikes(kind, this.id)) return true
    // A message that arrives twice is no reason for the service to wait longer, so it may do so when all other faults are over.
    const mayStrike = faults.hasBegun && (faults.overSince === undefined || kind === 'agent-repeats')
    return mayStrike && scheduler.random.int(ONE_IN[kind]) === 0
  }

  private take(stream: Stream, call: WantedCall): boolean {
    if (this.stream !== stream) return false
    stream.waiting.push(call)
    if (!stream.isMoving) void this.move(stream)
    return true
  }

  /** Passes calls to the agent in their order, each at its turn. */
  private async move(stream: Stream): Promise<void> {
    stream.isMoving = true
    while (stream.waiting.length > 0) {
      await this.around.scheduler.turn(this.life, 'hears of a call')
      if (this.stream !== stream) return
      if (this.strikes('agent-cut')) return this.cut()
      if (this.strikes('agent-half-open')) this.loseMessages(stream)
      const call = stream.waiting.shift()
      if (call === undefined || stream.vanishes) continue
      this.hear(stream, call)
      stream.heard.push(copyOf(call))
      if (this.strikes('agent-repeats')) this.repeat(stream)
    }
    stream.isMoving = false
  }

  /** Lets the agent hear one of the last calls again, and the calls after it, as a stream does that resumes too early. */
  private repeat(stream: Stream): void {
    const last = stream.heard.slice(-REPEATED_CALLS)
    for (const call of last.slice(this.around.scheduler.random.int(last.length))) this.hear(stream, copyOf(call))
  }

  private hear({ session }: Stream, call: WantedCall): void {
    this.order.hear(session, call)
    this.hands.hear(call)
  }

  private async carryBatch(batch: ObservedBatch): Promise<SentBatch> {
    const { stream, around } = this
    const sent = copyOf(batch)
    if (stream === undefined) throw new Error('simulated: no connection')
    await around.scheduler.turn(stream.served.life, 'hears of a report')
    if (this.stream === stream && this.strikes('agent-half-open')) this.loseMessages(stream)
    if (this.stream === stream && stream.vanishes) throw new Error('simulated: the report vanished')
    // The service may hear a report of a stream that it knows has ended.
    const result = stream.served.control.hear(sent)
    if (this.strikes('agent-repeats')) stream.served.control.hear(copyOf(batch))
    if (this.stream === stream && this.strikes('agent-cut')) this.cut()
    await around.scheduler.turn(this.life, 'hears of its report')
    return result === 'heard' ? 'taken' : result
  }

  private loseMessages(stream: Stream): void {
    stream.vanishes = true
    this.around.clock.after(HALF_OPEN_MS, () => {
      if (this.stream === stream) this.cut()
    })
  }

  /** Ends the stream. One side may notice the end only with the next stream. */
  private cut(): void {
    const { stream, served, around } = this
    const { scheduler, clock, faults } = around
    this.stream = undefined
    if (served === undefined) return
    const awayMs = faults.overSince === undefined ? (AWAY_MS[scheduler.random.int(AWAY_MS.length)] ?? 0) : 0
    if (stream !== undefined && scheduler.random.int(2) === 0)
      whenItGoes(served.life, () => served.control.cut(stream.session))
    if (scheduler.random.int(2) === 0) this.hands.end()
    const again = () => {
      if (this.served === served && this.stream === undefined) whenItGoes(served.life, () => this.connect())
    }
    if (awayMs > 0) clock.after(awayMs, again)
    else void scheduler.turn(this.life, 'hears of its end').then(again)
  }
}

const copyOf = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T
