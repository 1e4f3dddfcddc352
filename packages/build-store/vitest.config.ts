import { project } from '@matchyard/tooling/vitest'

export default project('build-store', { shared: true })
