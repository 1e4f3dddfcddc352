import { leaderboardsFollowModel, memoryHarness, storageFollowsModel, storagesAgree } from '@matchyard/testkit/storage'
import { test } from 'vitest'
import { sqliteHarness } from '../src/testing/harness'

const runs = Number(process.env.MATCHYARD_PROVE ?? 60)
const timeout = 30_000 + runs * 500
const sqlite = sqliteHarness({ synchronous: 'normal' })

test(`${runs} random histories answer and store what a plain model says`, { timeout }, () =>
  storageFollowsModel(sqlite, { runs, inOrder: true }),
)

test(`${runs} random histories give the same results in memory and in SQLite`, { timeout }, () =>
  storagesAgree(memoryHarness(), sqlite, { runs, inOrder: true }),
)

const leagues = Math.ceil(runs / 10)
test(`${leagues} random histories of a rating show the leaderboards of a plain model`, { timeout }, () =>
  leaderboardsFollowModel(sqlite, { runs: leagues }),
)
