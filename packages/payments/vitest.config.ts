import { project } from '@matchyard/tooling/vitest'

export default project('payments', { shared: true })
