import { ServiceError } from '../errors/service-error'
import type { MachineLoad } from '../machine/machine'
import type { Clock, Timers } from '../ports/clock'
import type { Logger } from '../ports/logger'
import type { Orchestrator } from '../ports/orchestrator'
import { byteSize, type JsonValue } from '../shared/json'
import { reportedSentence } from './answers'
import { CallQueue } from './call-queue'
import { carryOut, isKnownCall } from './carry-out'
import { Hints } from './hints'
import {
  LOAD_EVERY_MS,
  MAX_OPEN_ANSWER_BYTES,
  MAX_OPEN_ANSWERS,
  MAX_QUEUED_CALL_BYTES,
  MAX_REFUSALS,
  MAX_REPORT_BYTES,
} from './link-limits'
import { Outbox, type SentBatch } from './outbox'
import type { AgentAnswer, ObservedBatch, WantedCall } from './protocol'
import { isSoundCall } from './sound-calls'
import { SparseLog } from './sparse-log'

/** Properties of the agent's side of the link. */
export interface AgentHandsOptions {
  /** Orchestrator of the machine, which is open. */
  readonly orchestrator: Orchestrator
  readonly clock: Clock
  readonly timers: Timers
  readonly logger: Logger
  /** Measures the load of the machine. Default: no load is reported. */
  readonly load?: () => Promise<MachineLoad | undefined>
  /**
   * Sends a batch to the service, and resolves with the answer of the service. Rejects when the service did not answer; the same batch is then
   * sent again. After `foreign` nothing more of the session is sent, and the agent should open a new stream.
   */
  readonly send: (batch: ObservedBatch) => Promise<SentBatch>
}

interface Session {
  readonly outbox: Outbox
  lastNumber: number
  cancelLoad: (() => void) | undefined
}

/** Why a call is not carried out now. */
const BUSY = 'the agent has too many calls without an answer; try again shortly'

/**
 * The agent's side of the link: carries out the calls of the service with the orchestrator of the machine, and reports the answers, the hints
 * and the load in numbered batches.
 */
export class AgentHands {
  private session: Session | undefined
  private readonly queue = new CallQueue()
  private readonly hints = new Hints()
  private unsubscribe: (() => void) | undefined
  private readonly log: SparseLog

  constructor(private readonly options: AgentHandsOptions) {
    this.log = new SparseLog(options.logger, options.clock, {})
  }

  /**
   * Begins a session, on a new stream. Calls of the session before that have not begun are dropped, because the service sends them again. Calls
   * that run go on, and later calls of their instances wait for them.
   */
  begin(session: string): void {
    this.end()
    const { orchestrator, timers, send } = this.options
    this.unsubscribe ??= orchestrator.subscribe((instanceId) => {
      this.hints.add(instanceId)
      this.session?.outbox.wake()
    })
    const outbox = new Outbox(session, timers, this.hints, send)
    this.session = { outbox, lastNumber: 0, cancelLoad: undefined }
    void this.reportLoad(this.session)
  }

  /**
   * Takes a call of the present stream. Pass no call of an older stream after `begin`. A call that arrives twice, with the same number, is
   * carried out once.
   */
  hear(call: WantedCall): void {
    const { session } = this
    if (session === undefined || !(call.number > session.lastNumber)) return
    session.lastNumber = call.number
    const bytes = byteSize(call as unknown as JsonValue)
    const refusal = this.refusalOf(session, call, bytes)
    if (refusal === undefined) this.queue.add(call, bytes, () => this.carry(session, call))
    else if (session.outbox.size < MAX_OPEN_ANSWERS + MAX_REFUSALS)
      this.answer(session, { number: call.number, error: refusal })
  }

  /** Ends the session, and listens to the orchestrator no longer. Calls that run go on. */
  close(): void {
    this.end()
    this.unsubscribe?.()
    this.unsubscribe = undefined
  }

  /** Returns why a call is not carried out; undefined when it is. */
  private refusalOf({ outbox }: Session, call: WantedCall, callBytes: number): string | undefined {
    if (!isKnownCall(call)) return 'this release of the agent does not know the call'
    if (!isSoundCall(call)) {
      this.log.warn('a call of the service is refused, because it does not have the form of such a call', {
        call: call.call,
      })
      return 'the call does not have the form of such a call'
    }
    const open = outbox.size + this.queue.size
    const bytes = outbox.bytes + this.queue.bytes
    const hasRoom = open < MAX_OPEN_ANSWERS && this.queue.bytes + callBytes <= MAX_QUEUED_CALL_BYTES
    if (hasRoom && outbox.bytes < MAX_OPEN_ANSWER_BYTES) return undefined
    this.log.warn('calls are refused, because too many calls have no answer', { calls: open, bytes })
    return BUSY
  }

  /**
   * Ends the session, when its stream has ended. Answers that the service has not taken are dropped, because the service makes the calls again.
   * Hints are kept for the next session.
   */
  end(): void {
    this.queue.drop()
    const { session } = this
    if (session === undefined) return
    this.session = undefined
    session.cancelLoad?.()
    session.outbox.close()
  }

  private async carry(session: Session, call: WantedCall): Promise<void> {
    const answer = await this.answerTo(call)
    if (session === this.session) this.answer(session, answer)
  }

  private async answerTo(call: WantedCall): Promise<AgentAnswer> {
    const { number } = call
    try {
      return { number, value: await carryOut(this.options.orchestrator, call) }
    } catch (error) {
      return { number, error: sentenceOf(error) }
    }
  }

  private answer(session: Session, answer: AgentAnswer): void {
    const bytes = byteSize(answer as unknown as JsonValue)
    if (bytes <= MAX_REPORT_BYTES) {
      session.outbox.add(answer, bytes)
      return
    }
    this.log.warn('an answer to the service is too large', { bytes })
    const error = `the answer has ${bytes} bytes; an answer has at most ${MAX_REPORT_BYTES} bytes`
    session.outbox.add({ number: answer.number, error }, error.length)
  }

  private async reportLoad(session: Session): Promise<void> {
    const load = await this.measured()
    if (session !== this.session) return
    session.outbox.report(load)
    session.cancelLoad = this.options.timers.after(LOAD_EVERY_MS, () => void this.reportLoad(session))
  }

  private async measured(): Promise<MachineLoad | undefined> {
    try {
      return await this.options.load?.()
    } catch (error) {
      this.log.warn('the load of the machine was not measured', { error: String(error) })
      return undefined
    }
  }
}

/** Returns the message of an error, for the service. */
const sentenceOf = (error: unknown): string =>
  reportedSentence(
    error instanceof ServiceError ? error.detail : error instanceof Error ? error.message : String(error),
  )
