import type { MatchyardOptions } from '@matchyard/core'
import type { Storage } from '@matchyard/core/ports'
import type { AppOptions } from '@matchyard/http'
import type { FakeBuildStore, FakeClock, FakeOrchestrator } from '@matchyard/testkit'

export interface WorldOptions {
  /** Epoch milliseconds at which the clock begins; by default the start of a month. */
  readonly startAt?: number
  /** A seed that keeps the ids of worlds on the same storage apart. */
  readonly seed?: number
  readonly app?: AppOptions
  readonly core?: Partial<MatchyardOptions>
  /** Returns the storage that the service uses instead of its own. */
  readonly through?: (storage: Storage) => Storage
}

/** The fakes and the secret of a world, without its storage. */
export interface Ground {
  readonly clock: FakeClock
  readonly orchestrator: FakeOrchestrator
  readonly buildStore: FakeBuildStore
  readonly secret: string
}
