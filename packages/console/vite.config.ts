import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'

const page = fileURLToPath(new URL('src/page', import.meta.url))

/** Builds the console, or with `--mode gallery` the page that shows every view in every state. */
export default defineConfig(({ mode }) => ({
  root: page,
  // Addresses are relative, because the service may be under a path of a site.
  base: './',
  logLevel: 'warn',
  resolve: { conditions: ['@matchyard/source', 'module', 'browser', 'development|production'] },
  build: {
    outDir: fileURLToPath(new URL(mode === 'gallery' ? 'dist/gallery' : 'dist/page', import.meta.url)),
    emptyOutDir: true,
    target: 'es2022',
    // The service sends a strict content security policy with the page, so nothing may be inline.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    rolldownOptions: {
      input: `${page}/${mode === 'gallery' ? 'gallery' : 'index'}.html`,
      // The timings of build plugins do not help developers, so no warning shows them.
      checks: { bundlerTimings: false },
    },
  },
  worker: { format: 'es' },
}))
