import { storageConformance } from '@matchyard/testkit/storage'
import { test } from 'vitest'
import { sqliteHarness } from '../src/testing/harness'

// A sync per commit would make the suite slow and prove nothing more: durability has tests of its own.
const harness = sqliteHarness({ synchronous: 'normal' })

for (const item of storageConformance()) test(item.name, () => item.run(harness))
