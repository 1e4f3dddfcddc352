import { project } from '@matchyard/tooling/vitest'

export default project('node', { shared: true })
