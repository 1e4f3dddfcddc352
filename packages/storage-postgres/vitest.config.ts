import { project } from '@matchyard/tooling/vitest'
import { mergeConfig } from 'vitest/config'

// The whole run uses one real server; every case has its own schema on it.
export default mergeConfig(project('storage-postgres'), { test: { globalSetup: ['test/support/global-setup.ts'] } })
