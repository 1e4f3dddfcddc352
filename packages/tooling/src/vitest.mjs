// This file is JavaScript, because the configurations of packages import it by package name, and Node.js must load it
// without compiling.
import { defineProject } from 'vitest/config'

/**
 * Slow tests: tests with a database, processes or containers, and tests of the whole service. The ending of the file's
 * name shows that a test is slow.
 */
const SLOW = '**/*.{int,e2e}.test.ts'

/**
 * The tests that a run includes. `npm test` sets MATCHYARD_TIER to `quick` and leaves the slow tests out; `npm run
 * verify` sets it to `slow` and runs only those. Without it all tests are included, so that a test of any tier can be
 * selected by name.
 */
const TIERS = {
  quick: { include: ['test/**/*.test.ts', 'src/**/*.test.ts'], exclude: [SLOW] },
  slow: { include: [`test/${SLOW}`], exclude: [] },
}
const ALL = { ...TIERS.quick, exclude: [] }

/**
 * Packages that are always a separate Vitest project, because their quick tests start processes or a database server.
 */
const APART = ['storage-postgres', 'tooling']

const configurationOf = (name, { include, exclude, isolate }) =>
  defineProject({
    resolve: { conditions: ['@matchyard/source'] },
    ssr: { resolve: { conditions: ['@matchyard/source'] } },
    test: {
      name,
      include,
      exclude: ['**/node_modules/**', '**/dist/**', ...exclude],
      isolate,
      testTimeout: 60_000,
      hookTimeout: 60_000,
    },
  })

/**
 * Returns the Vitest configuration of a package's tests. `shared` says that the test files share one module graph, so
 * the tests must leave no state in modules. Slow tests never share it, because imports are a small part of their time.
 */
export const project = (name, { shared = false } = {}) => {
  const { include, exclude } = TIERS[process.env.MATCHYARD_TIER] ?? ALL
  return configurationOf(name, { include, exclude, isolate: !shared || process.env.MATCHYARD_TIER === 'slow' })
}

/**
 * Returns the Vitest projects of a run: one project for each package. In the quick tier most packages are one project,
 * unless the run names projects. Otherwise each package would load the same sources again, which took most of the time.
 */
export const projects = () => {
  const isQuick = process.env.MATCHYARD_TIER === 'quick' && !process.argv.some((arg) => arg.startsWith('--project'))
  if (!isQuick) return ['packages/*/vitest.config.ts', 'examples/*/vitest.config.ts', 'docs/vitest.config.ts']
  const include = [`packages/!(${APART.join('|')})/{src,test}/**/*.test.ts`, 'docs/test/**/*.test.ts']
  const quick = configurationOf('quick', { include, exclude: [SLOW], isolate: false })
  return [quick, `packages/{${APART.join(',')}}/vitest.config.ts`, 'examples/*/vitest.config.ts']
}
