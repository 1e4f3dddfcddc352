import { project } from '@matchyard/tooling/vitest'

export default project('http', { shared: true })
