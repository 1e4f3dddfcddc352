import type { FakeClock } from '../fakes/clock'
import type { Faults } from './faults'
import type { Scheduler } from './scheduler'

export interface PortSurroundings {
  readonly clock: FakeClock
  readonly scheduler: Scheduler
  readonly faults: Faults
  /** Crashes a node at this point of a port call. */
  readonly crash: (nodeId: string) => void
  /** Called when a commit was applied and its caller receives the answer. */
  readonly applied: () => void
  /** Called before and after every operation that may change data in the store that an invariant reads. */
  readonly wrote: () => void
}
