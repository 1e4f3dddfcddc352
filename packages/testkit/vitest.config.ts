import { project } from '@matchyard/tooling/vitest'

export default project('testkit', { shared: true })
