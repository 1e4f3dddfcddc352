// JavaScript, because the configurations of packages import it by name, and Node reads it as it is.
import { defineProject } from 'vitest/config'

export const project = (name) =>
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
