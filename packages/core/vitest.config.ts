import { project } from '@matchyard/tooling/vitest'

export default project('core', { shared: true })
