import { memoryHarness, storageConformance } from '@matchyard/testkit'
import { test } from 'vitest'

for (const item of storageConformance()) test(item.name, () => item.run(memoryHarness()))
