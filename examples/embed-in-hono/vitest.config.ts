import { project } from '../../.ci/vitest.ts'

export default project('example-embed-in-hono')
