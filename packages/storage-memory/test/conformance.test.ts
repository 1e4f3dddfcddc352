import { memoryHarness, storageConformance } from '@matchyard/testkit/storage'
import { test } from 'vitest'

for (const item of storageConformance()) test(item.name, () => item.run(memoryHarness()))
