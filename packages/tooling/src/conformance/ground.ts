import type { MatchyardOptions } from '@matchyard/core'
import type { Storage } from '@matchyard/core/ports'
import type { AppOptions } from '@matchyard/http'
import type { FakeBuildStore, FakeClock, FakeOrchestrator } from '@matchyard/testkit'

export interface WorldOptions {
  /** Epoch milliseconds at which the test's clock begins; by default the start of a month. */
  readonly startAt?: number
  /** Seed of the ids. Test worlds on the same storage need different seeds, so that their ids differ. */
  readonly seed?: number
  readonly app?: AppOptions
  readonly core?: Partial<MatchyardOptions>
  /** Returns the storage that the service uses in place of the given storage, for example a wrapper. */
  readonly through?: (storage: Storage) => Storage
}

/** The fakes and the secret that a test world uses. The storage is not included. */
export interface Ground {
  readonly clock: FakeClock
  readonly orchestrator: FakeOrchestrator
  readonly buildStore: FakeBuildStore
  readonly secret: string
}
