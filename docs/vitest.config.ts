import { project } from '@matchyard/tooling/vitest'

export default project('docs', { shared: true })
