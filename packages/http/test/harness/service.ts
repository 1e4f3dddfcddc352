import { createMatchyard, type Matchyard, type MatchyardOptions } from '@matchyard/core'
import type { Storage } from '@matchyard/core/ports'
import { manualPayments } from '@matchyard/payments/manual'
import { memoryStorage } from '@matchyard/storage-memory'
import {
  FakeBuildStore,
  type FakeClock,
  type FakeGuardedFetch,
  type FakeLogger,
  FakeOrchestrator,
  fakePlatform,
} from '@matchyard/testkit'
import { type AppOptions, createApp, type MatchyardApp, webhookBody } from '../../src/index'
import { type Client, client } from './client'

export interface ServiceOptions {
  readonly app?: AppOptions
  readonly core?: Partial<MatchyardOptions>
}

export interface Service {
  readonly matchyard: Matchyard
  readonly app: MatchyardApp
  readonly clock: FakeClock
  readonly logger: FakeLogger
  readonly storage: Storage
  readonly orchestrator: FakeOrchestrator
  readonly buildStore: FakeBuildStore
  /** Receiver of all webhook messages. */
  readonly receiver: FakeGuardedFetch
  /** Runs all due work, and all work that follows from it. */
  settle(): Promise<void>
  readonly call: Client
}

/** Starts the whole service on fakes and a storage in memory. Time advances and work runs only when a test says so. */
export async function startService(options: ServiceOptions = {}): Promise<Service> {
  const platform = fakePlatform()
  const { clock, logger } = platform
  const orchestrator = new FakeOrchestrator(clock)
  const buildStore = new FakeBuildStore()
  const storage = memoryStorage()
  const matchyard = createMatchyard({
    ...platform,
    // Only `now` is passed, so that the start of the service does not advance the time of a test.
    clock: { now: () => clock.now() },
    storage,
    orchestrator,
    buildStore,
    payments: manualPayments(),
    apiUrl: 'http://localhost',
    webhookBody,
    ...options.core,
  })
  await matchyard.open()
  const app = createApp(matchyard, { clock, timers: clock, logger, ...options.app })
  const settle = async () => {
    for (let rounds = 0; rounds < 100; rounds++) {
      await matchyard.worker.reconcileServers()
      if ((await matchyard.worker.runDueJobs()) === 0) return
    }
    throw new Error('work never ends')
  }
  return {
    matchyard,
    app,
    clock,
    logger,
    storage,
    orchestrator,
    buildStore,
    receiver: platform.guardedFetch,
    settle,
    call: client(app),
  }
}
