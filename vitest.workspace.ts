import { defineConfig } from 'vitest/config'
import { moduleCache } from './packages/tooling/src/module-cache.ts'
import { NotRunReporter } from './packages/tooling/src/needs.ts'
import { projects } from './packages/tooling/src/vitest.mjs'

const cache = moduleCache()

// Vitest 4 ignores an old-style workspace file, so this one is an ordinary configuration with projects
// and is named on the command line: `vitest --config vitest.workspace.ts`.
export default defineConfig({
  test: {
    projects: projects(),
    maxWorkers: 2,
    // Modules that did not change since the last run are not transformed again.
    experimental: { fsModuleCache: cache !== undefined, ...(cache === undefined ? {} : { fsModuleCachePath: cache }) },
    // Before the figures: a run that left tests out says which programs it wants for them.
    reporters: [new NotRunReporter(), 'default'],
  },
})
