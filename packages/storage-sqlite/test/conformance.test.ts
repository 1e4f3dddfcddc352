import { storageConformance } from '@matchyard/testkit/storage'
import { test } from 'vitest'
import { sqliteHarness } from '../src/testing/harness'

// A sync per commit would slow down the suite without testing more, because durability has its own tests.
const harness = sqliteHarness({ synchronous: 'normal' })

for (const item of storageConformance()) test(item.name, () => item.run(harness))
