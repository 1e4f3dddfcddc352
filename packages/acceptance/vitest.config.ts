import { project } from '@matchyard/tooling/vitest'

export default project('acceptance', { shared: true })
