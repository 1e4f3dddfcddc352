import { project } from '@matchyard/tooling/vitest'

export default project('matchmaking', { shared: true })
