import { ServiceError } from '../errors/service-error'
import type { MachineLoad } from '../machine/machine'
import type { Clock, Timers } from '../ports/clock'
import { type Logger, quietly } from '../ports/logger'
import type { Orchestrator } from '../ports/orchestrator'
import type { JsonValue } from '../shared/json'
import type { Instant } from '../shared/time'
import { reportedSentence } from './answers'
import { MAX_BATCH_HINTS, MAX_INSTANCE_ID, MAX_OPEN_CALLS, RECONNECT_MS } from './link-limits'
import { CallFailure, OpenCalls } from './open-calls'
import type { AgentCall, AgentFacts, ObservedBatch, WantedCall } from './protocol'
import { readLoad } from './read-load'
import { remoteOrchestrator } from './remote-orchestrator'
import { SparseLog } from './sparse-log'

/** Properties of a remote control. */
export interface RemoteControlOptions {
  /** Name of the orchestrator, which the records of servers in the waiting line contain. */
  readonly name: string
  /** Id of the machine, for messages. */
  readonly machineId: string
  readonly clock: Clock
  readonly timers: Timers
  readonly logger: Logger
}

/** Result of a batch: it was new, or its effects were applied before, or it does not belong to the present stream. */
export type HeardBatch = 'heard' | 'repeated' | 'foreign'

/**
 * The service's side of the link to the agent of one machine: an orchestrator whose calls are sent over the stream of the agent. The agent
 * is not trusted: wrong reports fail the call that they answer, and are logged at most once a minute.
 */
export class RemoteControl {
  /** Orchestrator of the machine. Its properties are those that the agent told when it opened its stream. */
  readonly orchestrator: Orchestrator
  private readonly calls: OpenCalls
  private readonly log: SparseLog
  private readonly listeners = new Set<(instanceId: string) => void>()
  private facts: AgentFacts | undefined
  private session: string | undefined
  private send: ((call: WantedCall) => boolean) | undefined
  private heardUpTo = 0
  private lastHeardAt: Instant | undefined
  private lastLoad: MachineLoad | undefined
  /** Cancels the end of the wait for the next stream; undefined while a stream is open, and after the wait. */
  private cancelWait: (() => void) | undefined

  constructor(private readonly options: RemoteControlOptions) {
    const { name, machineId, clock, timers, logger } = options
    this.calls = new OpenCalls(timers)
    this.log = new SparseLog(logger, clock, { machine: machineId })
    this.orchestrator = remoteOrchestrator({
      name,
      clock,
      facts: () => this.facts,
      ask: (call, read) => this.ask(call, read),
      failed: (failure) => this.failed(failure),
      subscribe: (listener) => {
        this.listeners.add(listener)
        return () => void this.listeners.delete(listener)
      },
    })
    this.waitForStream()
  }

  /** Whether the agent has a stream. */
  get isConnected(): boolean {
    return this.send !== undefined
  }

  /** Load of the machine in the last report that contained it; undefined before. */
  get load(): MachineLoad | undefined {
    return this.lastLoad
  }

  /** Time of the last batch, or of the last stream that was opened; undefined before the first stream. */
  get heardAt(): Instant | undefined {
    return this.lastHeardAt
  }

  /**
   * Opens a stream, which replaces the one before. `facts` are already validated. `send` passes a call to the agent, in order, and returns
   * false when the stream takes no more calls. All calls without an answer are sent again, with new numbers.
   */
  connect(facts: AgentFacts, session: string, send: (call: WantedCall) => boolean): void {
    this.cancelWait?.()
    this.cancelWait = undefined
    this.facts = bounded(facts)
    this.session = session
    this.send = send
    this.heardUpTo = 0
    this.lastHeardAt = this.options.clock.now()
    for (const call of this.calls.renumber()) this.transmit(call)
    // Hints may have been lost between the streams.
    this.hint('')
  }

  /**
   * Ends the stream of this session; without a session, the present stream. Calls then wait up to 10 s for the next stream. Does nothing when
   * another stream has replaced the stream of the session.
   */
  cut(session: string | undefined = this.session): void {
    if (this.send === undefined || session !== this.session) return
    this.send = undefined
    this.session = undefined
    this.waitForStream()
  }

  /** Ends the control: its stream ends, and all calls fail, now and later. */
  close(): void {
    this.cut()
    this.cancelWait?.()
    this.cancelWait = undefined
    this.calls.failAll(notConnected().message)
  }

  /** Applies a batch of the agent. Never throws for a batch of the right type, whatever its answers and hints are. */
  hear(batch: ObservedBatch): HeardBatch {
    if (this.session === undefined || batch.session !== this.session) return 'foreign'
    if (batch.number <= this.heardUpTo) return 'repeated'
    if (batch.number !== this.heardUpTo + 1) {
      this.log.warn('the agent of a machine left out a report; its stream must begin again', { number: batch.number })
      return 'foreign'
    }
    this.heardUpTo = batch.number
    this.lastHeardAt = this.options.clock.now()
    this.settleAll(batch.answers)
    this.hintAll(batch.hints)
    if (batch.load !== undefined) this.lastLoad = readLoad(batch.load) ?? this.lastLoad
    return 'heard'
  }

  private settleAll(answers: unknown): void {
    const all: readonly unknown[] = Array.isArray(answers) ? answers : []
    if (all.length > MAX_OPEN_CALLS)
      this.log.warn('the agent of a machine sent more answers than calls', { answers: all.length })
    for (const answer of all.slice(0, MAX_OPEN_CALLS)) this.settle(answer)
  }

  private settle(answer: unknown): void {
    const { number, value, error } = (answer ?? {}) as { number?: unknown; value?: JsonValue; error?: unknown }
    const open = typeof number === 'number' ? this.calls.take(number) : undefined
    if (open === undefined) {
      // A call that failed meanwhile, for example at its timeout, may still be answered.
      const isLate = typeof number === 'number' && Number.isInteger(number) && number > 0 && number <= this.calls.last
      if (!isLate) this.log.warn('the agent of a machine answered a call that was not made')
      return
    }
    if (typeof error === 'string') open.fail(new CallFailure('error', reportedSentence(error)))
    else open.answer(value ?? null)
  }

  private hintAll(hints: unknown): void {
    const all = Array.isArray(hints) ? hints : []
    for (const hint of new Set<unknown>(all.length > MAX_BATCH_HINTS ? [''] : all))
      if (typeof hint === 'string' && hint.length <= MAX_INSTANCE_ID) this.hint(hint)
  }

  private hint(instanceId: string): void {
    for (const listener of [...this.listeners]) quietly(() => listener(instanceId))
  }

  /** Makes a call. Rejects with CallFailure when it gets no answer, an error, or an answer that `read` does not accept. */
  private async ask<T>(call: AgentCall, read: (value: JsonValue) => T | undefined): Promise<T> {
    if (this.send === undefined && this.cancelWait === undefined) throw notConnected()
    const result = read(await this.calls.add(call, (sent) => this.transmit(sent)))
    if (result !== undefined) return result
    this.log.warn('the agent of a machine gave an answer that is not valid', { call: call.call })
    throw new CallFailure('no_answer', `its agent gave an answer to the call ${call.call} that is not valid`)
  }

  private transmit(call: WantedCall): void {
    let isTaken = false
    quietly(() => {
      isTaken = this.send?.(call) ?? false
    })
    if (!isTaken) this.cut()
  }

  private waitForStream(): void {
    this.cancelWait = this.options.timers.after(RECONNECT_MS, () => {
      this.cancelWait = undefined
      this.calls.failAll(notConnected().message)
    })
  }

  private failed({ reason, message }: CallFailure): ServiceError {
    const what = reason === 'no_answer' ? 'does not answer' : 'could not carry out a call'
    return new ServiceError('UNAVAILABLE', `the machine ${this.options.machineId} ${what}: ${message}`)
  }
}

/** Maximum sentences about limitations that a machine may have. */
const MAX_LIMITATIONS = 64

/** Returns the facts with sentences that may be logged. */
const bounded = (facts: AgentFacts): AgentFacts => ({
  ...facts,
  capabilities: {
    ...facts.capabilities,
    limitations: facts.capabilities.limitations.slice(0, MAX_LIMITATIONS).map(reportedSentence),
  },
})

const notConnected = () => new CallFailure('no_answer', 'its agent is not connected')
