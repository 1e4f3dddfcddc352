import type { MatchyardOptions } from '@matchyard/core'
import type { Storage } from '@matchyard/core/ports'
import type { AppOptions } from '@matchyard/http'
import type { FakeBuildStore, FakeClock, FakeOrchestrator } from '@matchyard/testkit'

export interface WorldOptions {
  /** Epoch milliseconds at which the clock begins; default: the first instant of a month. */
  readonly startAt?: number
  /** Keeps the ids of worlds apart that share a storage. */
  readonly seed?: number
  readonly app?: AppOptions
  readonly core?: Partial<MatchyardOptions>
  /** Returns the storage that the service has in place of its own. */
  readonly through?: (storage: Storage) => Storage
}

/** The fakes and the secret that a world is made of, beside its storage. */
export interface Ground {
  readonly clock: FakeClock
  readonly orchestrator: FakeOrchestrator
  readonly buildStore: FakeBuildStore
  readonly secret: string
}
