import { orchestratorConformance } from '@matchyard/testkit/orchestrator'
import { test } from 'vitest'
import { agonesHarness } from '../../src/agones/testing/harness'

const isLinux = process.platform === 'linux'

// Concurrent, since each case has its own cluster and mostly waits.
for (const item of orchestratorConformance()) {
  test.runIf(isLinux).concurrent(item.name, () => item.run(agonesHarness()))
}
