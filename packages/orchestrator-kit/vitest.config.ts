import { project } from '@matchyard/tooling/vitest'

export default project('orchestrator-kit', { shared: true })
