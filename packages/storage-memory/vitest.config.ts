import { project } from '@matchyard/tooling/vitest'

export default project('storage-memory', { shared: true })
