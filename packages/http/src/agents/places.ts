import { ServiceError } from '@matchyard/core'
import type { Clock } from '@matchyard/core/ports'
import { Pace } from './pace'

/** Limits of how many things run at the same time: of one machine, and of all machines together. */
export interface PlaceLimits {
  readonly perMachine: number
  readonly inAll: number
}

/**
 * Limits of agents on one node. Streams of agents have their own places, so that players never take them. A body is a
 * batch that arrives, an archive is one that the service itself sends.
 */
export const AGENT_PLACES = {
  streams: { perMachine: 4, inAll: 1_000 },
  bodies: { perMachine: 2, inAll: 16 },
  archives: { perMachine: 4, inAll: 32 },
} as const satisfies Record<string, PlaceLimits>

/** Counts things that run at the same time. */
export class Places {
  private taken = 0
  private readonly byMachine = new Map<string, number>()

  constructor(
    private readonly what: string,
    private readonly limits: PlaceLimits,
  ) {}

  /** Takes a place, and returns the function that gives it back. Throws `UNAVAILABLE` when no place is free. */
  take(machineId: string): () => void {
    const own = this.byMachine.get(machineId) ?? 0
    if (own >= this.limits.perMachine)
      throw new ServiceError('UNAVAILABLE', `this machine has ${own} ${this.what} already; try again shortly`)
    if (this.taken >= this.limits.inAll)
      throw new ServiceError('UNAVAILABLE', `this node has ${this.taken} ${this.what} already; try again shortly`)
    this.taken++
    this.byMachine.set(machineId, own + 1)
    let isHeld = true
    return () => {
      if (!isHeld) return
      isHeld = false
      this.taken--
      const left = (this.byMachine.get(machineId) ?? 1) - 1
      if (left > 0) this.byMachine.set(machineId, left)
      else this.byMachine.delete(machineId)
    }
  }
}

/** Places of the agents on this node. */
export class AgentPlaces {
  readonly streams = new Places('streams', AGENT_PLACES.streams)
  readonly bodies = new Places('batches on their way', AGENT_PLACES.bodies)
  readonly archives = new Places('archives on their way', AGENT_PLACES.archives)
  readonly pace: Pace

  constructor(clock: Clock) {
    this.pace = new Pace(clock)
  }
}
