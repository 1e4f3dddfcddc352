import { project } from '@matchyard/tooling/vitest'

export default project('orchestrator-agones', { shared: true })
