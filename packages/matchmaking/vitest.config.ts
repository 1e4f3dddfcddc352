import { project } from '../../.ci/vitest.ts'

export default project('matchmaking')
