import { accessSync, constants } from 'node:fs'
import { defineConfig } from 'vitest/config'
import { NotRunReporter } from './packages/tooling/src/needs.ts'
import { projects } from './packages/tooling/src/vitest.mjs'

/** Whether this user may write into a folder of the workspace. Continuous integration also tests as another user. */
function isWritable(folder: string): boolean {
  try {
    accessSync(new URL(folder, import.meta.url), constants.W_OK)
    return true
  } catch {
    return false
  }
}

// Vitest 4 ignores an old-style workspace file, so this one is an ordinary configuration with projects
// and is named on the command line: `vitest --config vitest.workspace.ts`.
export default defineConfig({
  test: {
    projects: projects(),
    maxWorkers: 2,
    // Modules that did not change since the last run are not transformed again.
    experimental: { fsModuleCache: isWritable('node_modules') },
    // Before the figures: a run that left tests out says which programs it wants for them.
    reporters: [new NotRunReporter(), 'default'],
  },
})
