import { project } from '@matchyard/tooling/vitest'
import { mergeConfig } from 'vitest/config'

// The whole run uses one real server; every test case has a schema of its own on it.
export default mergeConfig(project('storage-postgres'), { test: { globalSetup: ['test/support/global-setup.ts'] } })
