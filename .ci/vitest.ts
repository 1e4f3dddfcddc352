import { defineProject } from 'vitest/config'

/** How every package is tested: against the sources of the workspace, without a build. */
export const project = (name: string) =>
  defineProject({
    resolve: { conditions: ['@matchyard/source'] },
    ssr: { resolve: { conditions: ['@matchyard/source'] } },
    test: {
      name,
      include: ['test/**/*.test.ts', 'src/**/*.test.ts'],
      testTimeout: 60_000,
      hookTimeout: 60_000,
    },
  })
