import { storageConformance, storageFollowsModel } from '@matchyard/testkit/storage'
import { test } from 'vitest'
import { journalHarness } from './harness'

for (const item of storageConformance()) test(item.name, () => item.run(journalHarness))

const runs = Number(process.env.MATCHYARD_PROVE ?? 50)

test(`${runs} random histories answer and store what a plain model says`, { timeout: 60_000 + runs * 200 }, () =>
  storageFollowsModel(journalHarness, { runs, inOrder: true }),
)
