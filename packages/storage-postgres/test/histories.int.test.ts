import { sqliteHarness } from '@matchyard/storage-sqlite/testing'
import { leaderboardsFollowModel, memoryHarness, storageFollowsModel, storagesAgree } from '@matchyard/testkit/storage'
import { inject, test } from 'vitest'
import { postgresHarness } from '../src/testing/harness'

const runs = Number(process.env.MATCHYARD_PROVE ?? 200)
const timeout = 60_000 + runs * 1_000
const postgres = postgresHarness(inject('databaseUrl'), { poolSize: 2 })
const sqlite = sqliteHarness({ synchronous: 'normal' })

// Here commits that arrive together may share a batch, so their order is not predictable.
test(`${runs} random histories give the same results in memory and in PostgreSQL`, { timeout }, () =>
  storagesAgree(memoryHarness(), postgres, { runs, inOrder: false }),
)

// The tests of the SQLite adapter compare it with the memory adapter. With MATCHYARD_PROVE set, every pair of adapters
// is compared.
const sqliteRuns = process.env.MATCHYARD_PROVE === undefined ? 60 : runs

test(`${sqliteRuns} random histories give the same results in SQLite and in PostgreSQL`, { timeout }, () =>
  storagesAgree(sqlite, postgres, { runs: sqliteRuns, inOrder: false }),
)

test(`${Math.ceil(runs / 4)} random histories answer and store what a plain model says`, { timeout }, () =>
  storageFollowsModel(postgres, { runs: Math.ceil(runs / 4), inOrder: false }),
)

const leagues = Math.ceil(runs / 40)
test(`${leagues} random histories of a rating show the leaderboards of a plain model`, { timeout }, () =>
  leaderboardsFollowModel(postgres, { runs: leagues }),
)
