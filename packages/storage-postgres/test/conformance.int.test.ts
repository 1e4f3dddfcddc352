import { storageConformance } from '@matchyard/testkit/storage'
import { inject, test } from 'vitest'
import { postgresHarness } from '../src/testing/harness'

const harness = postgresHarness(inject('databaseUrl'))

for (const item of storageConformance()) test(item.name, () => item.run(harness))
