import { memoryHarness, storageFollowsModel } from '@matchyard/testkit/storage'
import { test } from 'vitest'

const runs = Number(process.env.MATCHYARD_PROVE ?? 200)

test(`${runs} random histories answer and store what a plain model says`, { timeout: 30_000 + runs * 100 }, () =>
  storageFollowsModel(memoryHarness(), { runs, inOrder: true }),
)
