import { leaderboardsFollowModel, memoryHarness, storageFollowsModel } from '@matchyard/testkit/storage'
import { test } from 'vitest'

const runs = Number(process.env.MATCHYARD_PROVE ?? 200)

test(`${runs} random histories answer and store what a plain model says`, { timeout: 30_000 + runs * 100 }, () =>
  storageFollowsModel(memoryHarness(), { runs, inOrder: true }),
)

const leagues = Math.ceil(runs / 20)
test(
  `${leagues} random histories of a rating show the leaderboards of a plain model`,
  {
    timeout: 30_000 + leagues * 500,
  },
  () => leaderboardsFollowModel(memoryHarness(), { runs: leagues }),
)
