import { project } from '../../.ci/vitest.ts'

export default project('orchestrator-kit')
