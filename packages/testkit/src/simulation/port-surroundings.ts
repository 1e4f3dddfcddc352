import type { FakeClock } from '../fakes/clock'
import type { Faults } from './faults'
import type { Scheduler } from './scheduler'

export interface PortSurroundings {
  readonly clock: FakeClock
  readonly scheduler: Scheduler
  readonly faults: Faults
  /** Crashes a node at this point of the call. */
  readonly crash: (nodeId: string) => void
  /** Called when a commit was applied and its caller gets the answer. */
  readonly applied: () => void
  /** Called before and after every operation that may change data of an invariant in the store. */
  readonly wrote: () => void
}
