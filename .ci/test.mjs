// `npm test`: install, build, lint, types and the quick tests, as a newcomer and as continuous integration.
// `npm run verify` (with `slow`): the tests that `npm test` leaves out.
import { build } from '../packages/tooling/src/build.mjs'
import { install, run } from '../packages/tooling/src/workspace.mjs'

const tier = process.argv[2] === 'slow' ? 'slow' : 'quick'

install()
if (tier === 'quick') run('biome', ['check', '--error-on-warnings', '.'])
// The quick tests start services without declarations, and declarations take most of a build.
await build({ fast: tier === 'quick' })
if (tier === 'quick') {
  // The compiler keeps its findings below node_modules, so that a second run checks only the files that changed.
  const check = (place, name) =>
    run('tsc', ['-p', place, '--noEmit', '--incremental', '--tsBuildInfoFile', `node_modules/.cache/types/${name}`])
  check('tsconfig.json', 'all')
  // The folders whose code runs in a browser have a configuration of their own, with the browser's global names.
  check('examples/arena/page', 'arena')
  check('packages/console/src/page', 'console')
}
run('vitest', ['run', '--config', 'vitest.workspace.ts', ...process.argv.slice(3)], {
  addedEnv: { MATCHYARD_TIER: tier },
})
