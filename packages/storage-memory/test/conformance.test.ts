import { storageConformance } from '@matchyard/testkit'
import { test } from 'vitest'
import { memoryHarness } from './harness'

for (const item of storageConformance()) test(item.name, () => item.run(memoryHarness()))
