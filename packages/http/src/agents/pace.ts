import { ServiceError } from '@matchyard/core'
import { SECOND_MS } from '@matchyard/core/domain'
import type { Clock } from '@matchyard/core/ports'

/**
 * Pace of the batches of one machine, in bytes as JSON. A batch counts as at least `leastBytes`, because each batch has
 * a cost of its own.
 */
export const AGENT_PACE = {
  burstBytes: 16 * 1024 * 1024,
  bytesPerSecond: 2 * 1024 * 1024,
  leastBytes: 4 * 1024,
} as const

/** Maximum machines whose credit is kept. Past it, machines with their whole credit are forgotten. */
const MAX_KEPT = 1_000

interface Credit {
  readonly bytes: number
  readonly at: number
}

/**
 * Limits the bytes per second of each machine's batches. Batches are never refused under overload, so a machine whose
 * token was stolen could otherwise use up the processor of the node.
 */
export class Pace {
  private readonly credits = new Map<string, Credit>()

  constructor(private readonly clock: Clock) {}

  /** Number of machines whose credit is kept. */
  get size(): number {
    return this.credits.size
  }

  /** Throws `UNAVAILABLE` while the machine has used up its credit. */
  require(machineId: string): void {
    const bytes = this.creditOf(machineId)
    if (bytes > 0) return
    const seconds = Math.floor(-bytes / AGENT_PACE.bytesPerSecond) + 1
    const detail = `this machine sends more than ${AGENT_PACE.bytesPerSecond} bytes a second; try again in ${seconds} s`
    throw new ServiceError('UNAVAILABLE', detail, {}, undefined, seconds)
  }

  /** Counts a batch. The credit may become negative, because the length of a body may be unknown before it was read. */
  charge(machineId: string, bytes: number): void {
    const left = this.creditOf(machineId) - Math.max(bytes, AGENT_PACE.leastBytes)
    this.credits.delete(machineId)
    this.credits.set(machineId, { bytes: left, at: this.clock.now() })
    if (this.credits.size > MAX_KEPT) this.forget()
  }

  private creditOf(machineId: string): number {
    const known = this.credits.get(machineId)
    if (known === undefined) return AGENT_PACE.burstBytes
    const passedMs = Math.max(0, this.clock.now() - known.at)
    return Math.min(AGENT_PACE.burstBytes, known.bytes + (passedMs / SECOND_MS) * AGENT_PACE.bytesPerSecond)
  }

  /** Forgets the machines that were charged longest ago and have their whole credit. */
  private forget(): void {
    for (const machineId of this.credits.keys()) {
      if (this.creditOf(machineId) < AGENT_PACE.burstBytes) return
      this.credits.delete(machineId)
    }
  }
}
