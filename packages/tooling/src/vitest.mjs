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

/**
 * Returns the configuration of a package's tests. `shared`: its files share one module graph, which needs tests that leave nothing behind;
 * slow ones never do, for their imports are a small part of them.
 */
export const project = (name, { shared = false } = {}) => {
  const { include, exclude } = TIERS[process.env.MATCHYARD_TIER] ?? ALL
  return defineProject({
    resolve: { conditions: ['@matchyard/source'] },
    ssr: { resolve: { conditions: ['@matchyard/source'] } },
    test: {
      name,
      include,
      exclude: ['**/node_modules/**', '**/dist/**', ...exclude],
      isolate: !shared || process.env.MATCHYARD_TIER === 'slow',
      testTimeout: 60_000,
      hookTimeout: 60_000,
    },
  })
}
