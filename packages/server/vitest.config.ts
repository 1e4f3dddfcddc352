import { project } from '@matchyard/tooling/vitest'

export default project('server', { shared: true })
