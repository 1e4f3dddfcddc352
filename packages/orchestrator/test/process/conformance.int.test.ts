import { orchestratorConformance } from '@matchyard/testkit/orchestrator'
import { describe, test } from 'vitest'
import { processHarness } from '../../src/process/testing/harness'

describe.each([
  ['with what this machine offers', processHarness()],
  ['without isolation and limits', processHarness({ isolation: 'none', limits: 'none' })],
])('%s', (_title, harness) => {
  for (const item of orchestratorConformance()) test(item.name, () => item.run(harness))
})
