import { project } from '@matchyard/tooling/vitest'

export default project('console', { shared: true })
