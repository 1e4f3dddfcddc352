import { isSlowCall, orderOf } from './carry-out'
import { MAX_HANDS, MAX_SLOW_HANDS } from './link-limits'
import type { AgentCall } from './protocol'

interface Queued {
  readonly work: () => Promise<void>
  readonly bytes: number
  readonly turn: string | undefined
  readonly isSlow: boolean
}

/**
 * Queue of the calls that an agent carries out. Calls of one instance run in the order of arrival, also after an older session; other calls
 * run at the same time, up to a maximum.
 */
export class CallQueue {
  private queued: Queued[] = []
  private readonly busy = new Set<string>()
  private running = 0
  private runningSlow = 0
  private runningBytes = 0
  private queuedBytes = 0

  /** Number of calls that wait or run. */
  get size(): number {
    return this.queued.length + this.running
  }

  /** Bytes of these calls. */
  get bytes(): number {
    return this.queuedBytes + this.runningBytes
  }

  /** Adds a call of this number of bytes. `work` carries it out when its turn comes, and never rejects. */
  add(call: AgentCall, bytes: number, work: () => Promise<void>): void {
    this.queued.push({ work, bytes, turn: orderOf(call), isSlow: isSlowCall(call) })
    this.queuedBytes += bytes
    this.begin()
  }

  /** Removes all calls that have not begun. */
  drop(): void {
    this.queued = []
    this.queuedBytes = 0
  }

  private begin(): void {
    // A call may not overtake a waiting call of the same instance.
    const taken = new Set(this.busy)
    const left: Queued[] = []
    const begun: Queued[] = []
    for (const one of this.queued) {
      const isFree = one.turn === undefined || !taken.has(one.turn)
      const hasHand = this.running < MAX_HANDS && !(one.isSlow && this.runningSlow >= MAX_SLOW_HANDS)
      if (one.turn !== undefined) taken.add(one.turn)
      if (isFree && hasHand) {
        this.queuedBytes -= one.bytes
        this.note(one, 1)
        begun.push(one)
      } else left.push(one)
    }
    this.queued = left
    for (const one of begun) void this.carry(one)
  }

  private async carry(one: Queued): Promise<void> {
    try {
      await one.work()
    } finally {
      this.note(one, -1)
      this.begin()
    }
  }

  private note({ turn, isSlow, bytes }: Queued, change: 1 | -1): void {
    this.running += change
    this.runningBytes += change * bytes
    if (isSlow) this.runningSlow += change
    if (turn === undefined) return
    if (change === 1) this.busy.add(turn)
    else this.busy.delete(turn)
  }
}
