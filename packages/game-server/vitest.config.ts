import { project } from '@matchyard/tooling/vitest'

export default project('game-server', { shared: true })
