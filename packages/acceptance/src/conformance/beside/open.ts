import * as core from '@matchyard/core'
import * as ports from '@matchyard/core/ports'
import * as http from '@matchyard/http'
import * as node from '@matchyard/node'
import * as payments from '@matchyard/payments-manual'
import * as postgres from '@matchyard/storage-postgres'
import { fakePlatform } from '@matchyard/testkit'
import { onTestFinished } from 'vitest'
import { send } from '../client'
import type { Ground, WorldOptions } from '../ground'
import { type Service, serviceOf } from '../service'
import { Stream } from '../stream'
import { seenBy, throwingIts } from './adapters'
import { addressOf, databaseFor, dropDatabase, remember } from './databases'
import { type ReleaseModules, releaseBefore } from './release'
import { laid } from './variables'

const readers = { send, openStream: Stream.open.bind(Stream) }
const THIS: ReleaseModules = { core, ports, http, node, payments, postgres, readers }
/** Ids of the two nodes must not meet, nor those of other worlds on the storage. */
const SEED_OF_BEFORE = 1_000

/** Two nodes on one database, one of this release and one of the release before, in the order in which they take calls. */
export async function openBeside(ground: Ground, options: WorldOptions) {
  const { clock, orchestrator, buildStore, secret } = ground
  const { tree, server, first } = laid()
  const before = await releaseBefore(tree)
  const { name, isNew } = await databaseFor(server, options.core?.storage)
  const launchedBy = new Map<string, string>()
  // The limits of both, as of nodes that share them.
  const limiter = http.memoryRateLimiter(clock)
  const closes: (() => Promise<void>)[] = []
  onTestFinished(async () => {
    await Promise.all(closes.map((close) => close()))
    if (isNew) await dropDatabase(server, name)
  })
  const open = async (release: ReleaseModules, isBefore: boolean) => {
    const nodeId = `${options.core?.nodeId ?? 'node'}${isBefore ? '-before' : ''}`
    const storage = release.postgres.postgresStorage({ url: addressOf(server, name), poolSize: 2 })
    remember(storage, name)
    const matchyard = release.core.createMatchyard({
      ...fakePlatform({ seed: (options.seed ?? 1) + (isBefore ? SEED_OF_BEFORE : 0), clock }),
      tokens: release.node.tokens(secret),
      clock: { now: () => clock.now() },
      orchestrator: seenBy(nodeId, orchestrator, launchedBy),
      buildStore: isBefore ? throwingIts(release, buildStore) : buildStore,
      payments: release.payments.manualPayments(),
      apiUrl: 'http://localhost',
      ...options.core,
      storage: options.through?.(storage, release.ports) ?? storage,
      nodeId,
    })
    closes.push(() => matchyard.stop())
    await matchyard.open()
    const app = release.http.createApp(matchyard, { clock, timers: clock, limiter, ...options.app })
    return { service: serviceOf(matchyard, app, release.readers), storage }
  }
  const here = await open(THIS, false)
  const there = await open(before, true)
  const services: Service[] = [here.service, there.service]
  if (first === 'before') services.reverse()
  return { services, storage: here.storage }
}
