import { project } from '@matchyard/tooling/vitest'

export default project('orchestrator', { shared: true })
