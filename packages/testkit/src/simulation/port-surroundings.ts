import type { FakeClock } from '../fakes/clock'
import type { Faults } from './faults'
import type { Scheduler } from './scheduler'

export interface PortSurroundings {
  readonly clock: FakeClock
  readonly scheduler: Scheduler
  readonly faults: Faults
  /** Ends a node's life at this very point. */
  readonly crash: (nodeId: string) => void
  /** Told of a commit that was applied and that its caller hears of. */
  readonly applied: () => void
  /** Told before and after whatever may change what an invariant looks at in the store. */
  readonly wrote: () => void
}
