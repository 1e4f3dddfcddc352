import type { MatchyardOptions } from '@matchyard/core'
import type { Storage, StorageUnavailable } from '@matchyard/core/ports'
import type { AppOptions } from '@matchyard/http'
import type { FakeBuildStore, FakeClock, FakeOrchestrator } from '@matchyard/testkit'

export interface WorldOptions {
  /** Epoch milliseconds at which the clock begins; default: the first instant of a month. */
  readonly startAt?: number
  /** Keeps the ids of worlds apart that share a storage. */
  readonly seed?: number
  readonly app?: AppOptions
  readonly core?: Partial<MatchyardOptions>
  /** What each node has in place of its storage; it throws the errors of the release that it is for. */
  readonly through?: (storage: Storage, errors: StorageErrors) => Storage
}

export interface StorageErrors {
  readonly StorageUnavailable: typeof StorageUnavailable
}

/** What all nodes of a world share beside its storage. */
export interface Ground {
  readonly clock: FakeClock
  readonly orchestrator: FakeOrchestrator
  readonly buildStore: FakeBuildStore
  readonly secret: string
}
