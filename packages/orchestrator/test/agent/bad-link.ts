import type { Region } from '@matchyard/core'
import {
  AgentHands,
  type ObservedBatch,
  type Orchestrator,
  RemoteControl,
  type SentBatch,
  SILENT_LOGGER,
  type Timers,
  type WantedCall,
} from '@matchyard/core/ports'
import { FakeRandom } from '@matchyard/testkit'

const HOST = '127.0.0.1'
const REGIONS: readonly Region[] = ['iad']

const clock = { now: () => Date.now() }
const timers: Timers = {
  after: (ms, callback) => {
    const timer = setTimeout(callback, ms).unref()
    return () => clearTimeout(timer)
  },
}

/** Bounds of the pauses of the link in milliseconds. */
const PAUSES = { transit: [0, 8], untilFault: [20, 400], halfOpen: [50, 600], untilReconnect: [1, 200] } as const

/** Number of each fault of a link, so that a test sees that the link was bad. */
export interface Faults {
  cuts: number
  halfOpen: number
  repeatedCalls: number
  repeatedBatches: number
  lostAnswers: number
}

/**
 * A link between a remote control and the hands of an agent that delays everything, repeats calls and batches, loses answers, cuts its streams,
 * and is half-open for a while before a cut: calls and batches then vanish. The seed chooses all of this.
 */
export class BadLink {
  readonly faults: Faults = { cuts: 0, halfOpen: 0, repeatedCalls: 0, repeatedBatches: 0, lostAnswers: 0 }
  readonly control = new RemoteControl({ name: 'agents', machineId: 'm-1', clock, timers, logger: SILENT_LOGGER })
  private readonly hands: AgentHands
  private readonly random: FakeRandom
  private sessions = 0
  /** Stream of the present session; undefined while the agent has none. */
  private stream:
    | { readonly session: string; vanishes: boolean; tail: Promise<void>; last: WantedCall | undefined }
    | undefined
  private isOver = false
  private cancel = () => {}

  constructor(
    private readonly local: Orchestrator,
    seed: number,
  ) {
    this.random = new FakeRandom(seed)
    const send = (batch: ObservedBatch) => this.carryBatch(batch)
    this.hands = new AgentHands({ orchestrator: local, clock, timers, logger: SILENT_LOGGER, send })
    this.connect()
    this.plan()
  }

  get orchestrator(): Orchestrator {
    return this.control.orchestrator
  }

  /** Ends the link for ever. Calls without an answer stay open. */
  stop(): void {
    this.isOver = true
    this.cancel()
    this.hands.end()
    this.stream = undefined
  }

  private connect(): void {
    const session = `session_${++this.sessions}`
    const stream = { session, vanishes: false, tail: Promise.resolve(), last: undefined }
    this.stream = stream
    this.hands.begin(session)
    const { local } = this
    const { limits = {}, capabilities } = local
    const facts = { agentId: 'agt_1', release: null, regions: REGIONS, host: HOST, limits, capabilities, beacons: [] }
    this.control.connect(facts, session, (call) => this.carryCall(session, copyOf(call)))
  }

  private carryCall(session: string, call: WantedCall): boolean {
    const { stream } = this
    if (stream?.session !== session) return false
    stream.tail = stream.tail.then(async () => {
      await pause(this.between('transit'))
      if (this.stream !== stream || stream.vanishes) return
      this.hands.hear(call)
      if (!this.chance(8)) return
      this.faults.repeatedCalls++
      for (const again of [stream.last ?? call, call]) this.hands.hear(copyOf(again))
      stream.last = call
    })
    return true
  }

  private async carryBatch(batch: ObservedBatch): Promise<SentBatch> {
    const sent = copyOf(batch)
    await pause(this.between('transit'))
    if (this.stream === undefined || this.stream.vanishes) throw new Error('the batch vanished')
    const results = [this.control.hear(sent)]
    if (this.chance(8)) {
      this.faults.repeatedBatches++
      results.push(this.control.hear(copyOf(batch)))
    }
    await pause(this.between('transit'))
    if (this.chance(8)) {
      this.faults.lostAnswers++
      throw new Error('the answer to a batch was lost')
    }
    const [result] = results
    return result === 'heard' ? 'taken' : (result ?? 'foreign')
  }

  /** Plans the next fault. */
  private plan(): void {
    this.after('untilFault', () => {
      const { stream } = this
      if (stream === undefined) return
      if (this.chance(2)) {
        this.cut()
        return
      }
      this.faults.halfOpen++
      stream.vanishes = true
      this.after('halfOpen', () => this.cut())
    })
  }

  private cut(): void {
    const session = this.stream?.session
    this.faults.cuts++
    this.stream = undefined
    // One side may notice the end of a stream only with the next stream.
    if (this.chance(2)) this.control.cut(session)
    if (this.chance(2)) this.hands.end()
    this.after('untilReconnect', () => {
      this.connect()
      this.plan()
    })
  }

  private after(what: keyof typeof PAUSES, callback: () => void): void {
    if (!this.isOver) this.cancel = timers.after(this.between(what), callback)
  }

  private between(what: keyof typeof PAUSES): number {
    const [from, to] = PAUSES[what]
    return from + this.random.int(to - from + 1)
  }

  private chance(oneOf: number): boolean {
    return this.random.int(oneOf) === 0
  }
}

const pause = (ms: number) => new Promise<void>((resolve) => void setTimeout(resolve, ms))
const copyOf = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T
