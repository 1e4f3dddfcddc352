// JavaScript, because the configurations of packages import it by name, and Node reads it as it is.
import { defineProject } from 'vitest/config'

/** Tests with a database, processes or containers, and tests of the whole service: their tier is in the file's name. */
const SLOW = '**/*.{int,e2e}.test.ts'

/**
 * Which tests a run takes. `npm test` sets MATCHYARD_TIER to `quick` and leaves the slow ones out; `npm run verify` sets it to `slow` and
 * takes nothing else. Without it all are taken, so that a test can be named whatever its tier is.
 */
const TIERS = {
  quick: { include: ['test/**/*.test.ts', 'src/**/*.test.ts'], exclude: [SLOW] },
  slow: { include: [`test/${SLOW}`], exclude: [] },
}
const ALL = { ...TIERS.quick, exclude: [] }

/** Packages that stay by themselves: their quick tests start processes or a database server. */
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
 * Returns the configuration of a package's tests. `shared`: its files share one module graph, which needs tests that leave nothing behind;
 * slow ones never do, for their imports are a small part of them.
 */
export const project = (name, { shared = false } = {}) => {
  const { include, exclude } = TIERS[process.env.MATCHYARD_TIER] ?? ALL
  return configurationOf(name, { include, exclude, isolate: !shared || process.env.MATCHYARD_TIER === 'slow' })
}

/**
 * Returns the projects of a run: each package by itself. The quick tier is one project of all packages but a few, unless the run names projects:
 * loading the same sources for every package anew took most of its time.
 */
export const projects = () => {
  const isQuick = process.env.MATCHYARD_TIER === 'quick' && !process.argv.some((arg) => arg.startsWith('--project'))
  if (!isQuick) return ['packages/*/vitest.config.ts', 'examples/*/vitest.config.ts', 'docs/vitest.config.ts']
  const include = [`packages/!(${APART.join('|')})/{src,test}/**/*.test.ts`, 'docs/test/**/*.test.ts']
  const quick = configurationOf('quick', { include, exclude: [SLOW], isolate: false })
  return [quick, `packages/{${APART.join(',')}}/vitest.config.ts`, 'examples/*/vitest.config.ts']
}
