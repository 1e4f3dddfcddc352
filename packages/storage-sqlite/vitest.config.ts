import { project } from '@matchyard/tooling/vitest'

export default project('storage-sqlite', { shared: true })
