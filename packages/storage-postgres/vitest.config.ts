import { project } from '@matchyard/tooling/vitest'
import { mergeConfig } from 'vitest/config'

// One real server for the whole run; every case has a schema of its own on it.
export default mergeConfig(project('storage-postgres'), { test: { globalSetup: ['test/support/global-setup.ts'] } })
