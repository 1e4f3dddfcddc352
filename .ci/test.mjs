// `npm test`: install, build, lint, type-check and test, as a newcomer and as continuous integration.
import { build } from '../packages/tooling/src/build.mjs'
import { install, run } from '../packages/tooling/src/workspace.mjs'

install()
run('biome', ['check', '--error-on-warnings', '.'])
await build({ fast: false })
run('tsc', ['-p', 'tsconfig.json', '--noEmit'])
// The places with a page's names in them.
for (const page of ['examples/arena/page', 'packages/console/src/page']) run('tsc', ['-p', page, '--noEmit'])
run('vitest', ['run', '--config', 'vitest.workspace.ts'])
