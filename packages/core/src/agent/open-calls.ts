import type { Timers } from '../ports/clock'
import { byteSize, type JsonValue } from '../shared/json'
import { SECOND_MS } from '../shared/time'
import {
  CALL_TIMEOUT_MS,
  IMAGE_TIMEOUT_MS,
  LAUNCH_TIMEOUT_MS,
  MAX_CALL_BYTES,
  MAX_OPEN_CALL_BYTES,
  MAX_OPEN_CALLS,
} from './link-limits'
import type { AgentCall, WantedCall } from './protocol'

/**
 * Failure of a call. `no_answer`: the call got no valid answer in time. `error`: the machine answered with this error. `too_large`: the call
 * can never be sent. The message is a clause for a developer.
 */
export class CallFailure extends Error {
  override readonly name = 'CallFailure'
  constructor(
    readonly reason: 'no_answer' | 'error' | 'too_large',
    message: string,
  ) {
    super(message)
  }
}

interface OpenCall {
  readonly call: AgentCall
  readonly bytes: number
  readonly answer: (value: JsonValue) => void
  readonly fail: (error: CallFailure) => void
}

/** Milliseconds until a call without an answer fails. */
const TIMEOUTS_MS: Partial<Record<AgentCall['call'], number>> = {
  launch: LAUNCH_TIMEOUT_MS,
  prepareImage: IMAGE_TIMEOUT_MS,
}

/** Calls of one machine that have no answer yet, in the order in which they were made. Their numbers grow. */
export class OpenCalls {
  private open = new Map<number, OpenCall>()
  private bytes = 0
  private lastNumber = 0

  constructor(private readonly timers: Timers) {}

  /** Highest number that a call has got so far. */
  get last(): number {
    return this.lastNumber
  }

  /**
   * Adds a call and passes it to `send` with its number. Resolves with the answer. Rejects with CallFailure when the call is too large, too
   * many calls are open, or the time is over.
   */
  add(call: AgentCall, send: (call: WantedCall) => void): Promise<JsonValue> {
    const bytes = byteSize(call as unknown as JsonValue)
    if (bytes > MAX_CALL_BYTES) {
      const why = `the call ${call.call} has ${bytes} bytes; an agent takes at most ${MAX_CALL_BYTES} bytes`
      return Promise.reject(new CallFailure('too_large', why))
    }
    if (this.open.size >= MAX_OPEN_CALLS || this.bytes + bytes > MAX_OPEN_CALL_BYTES)
      return Promise.reject(new CallFailure('no_answer', `its agent has not answered ${this.open.size} calls`))
    return new Promise((resolve, reject) => {
      const timeoutMs = TIMEOUTS_MS[call.call] ?? CALL_TIMEOUT_MS
      const late = `its agent did not answer the call ${call.call} within ${timeoutMs / SECOND_MS} s`
      const cancel = this.timers.after(timeoutMs, () => {
        this.remove(entry)
        reject(new CallFailure('no_answer', late))
      })
      const entry: OpenCall = {
        call,
        bytes,
        answer: (value) => {
          cancel()
          resolve(value)
        },
        fail: (error) => {
          cancel()
          reject(error)
        },
      }
      this.bytes += bytes
      const number = this.place(entry)
      send({ ...call, number })
    })
  }

  private place(entry: OpenCall): number {
    const number = ++this.lastNumber
    this.open.set(number, entry)
    return number
  }

  private remove(entry: OpenCall): void {
    for (const [number, one] of this.open) if (one === entry) this.take(number)
  }

  /** Removes a call and returns it; undefined when no call with this number is open. */
  take(number: number): OpenCall | undefined {
    const entry = this.open.get(number)
    if (entry === undefined) return undefined
    this.open.delete(number)
    this.bytes -= entry.bytes
    return entry
  }

  /**
   * Gives new numbers to the open calls, in their order, and returns them for the next stream. The agent may have carried them out already.
   * So a stop or a removal before a launch of the same instance is failed instead: carried out again, it would act on the launched server.
   */
  renumber(): WantedCall[] {
    const before = [...this.open.values()]
    const isOvertaken = ({ call }: OpenCall, at: number) =>
      (call.call === 'stop' || call.call === 'forget') &&
      before.some((later, place) => {
        if (place <= at || later.call.call !== 'launch') return false
        return later.call.spec.instanceId === call.instanceId
      })
    const overtaken = new Set(before.filter(isOvertaken))
    for (const [number, entry] of [...this.open])
      if (overtaken.has(entry)) this.take(number)?.fail(new CallFailure('no_answer', 'its agent lost its connection'))
    const kept = [...this.open.values()]
    this.open = new Map()
    return kept.map((entry) => ({ ...entry.call, number: this.place(entry) }))
  }

  /** Fails all open calls. */
  failAll(message: string): void {
    for (const number of [...this.open.keys()]) this.take(number)?.fail(new CallFailure('no_answer', message))
  }
}
