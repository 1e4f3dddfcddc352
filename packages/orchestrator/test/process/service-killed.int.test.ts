import { fileURLToPath } from 'node:url'
import { it } from 'vitest'
import { processHarness } from '../../src/process/testing/harness'
import { killDuringLaunches } from '../../src/testing/index'

const SERVICE = fileURLToPath(new URL('./service.ts', import.meta.url))

it('a service killed at any moment of a launch leaves one server, found again by the next service', async () => {
  const subject = await processHarness().open()
  try {
    await killDuringLaunches(subject, { service: SERVICE })
  } finally {
    await subject.dispose()
  }
}, 600_000)
