import { defineConfig } from 'vitest/config'
import { NotRunReporter } from './packages/tooling/src/needs.ts'
import { projects } from './packages/tooling/src/vitest.mjs'

// Vitest 4 ignores an old-style workspace file, so this one is an ordinary configuration with projects
// and is named on the command line: `vitest --config vitest.workspace.ts`.
export default defineConfig({
  test: {
    projects: projects(),
    maxWorkers: 2,
    experimental: { fsModuleCache: true },
    // Before the figures: a run that left tests out says which programs it wants for them.
    reporters: [new NotRunReporter(), 'default'],
  },
})
