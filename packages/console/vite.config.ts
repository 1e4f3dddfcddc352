import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'

const page = fileURLToPath(new URL('src/page', import.meta.url))

/** `--mode gallery` builds the page that shows every view in every state, instead of the console. */
export default defineConfig(({ mode }) => ({
  root: page,
  // The page names its files from where it stands: the service may be under a path of a site.
  base: './',
  logLevel: 'warn',
  resolve: { conditions: ['@matchyard/source', 'module', 'browser', 'development|production'] },
  build: {
    outDir: fileURLToPath(new URL(mode === 'gallery' ? 'dist/gallery' : 'dist/page', import.meta.url)),
    emptyOutDir: true,
    target: 'es2022',
    // Pages that are served under a strict policy: nothing inline.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    rolldownOptions: {
      input: `${page}/${mode === 'gallery' ? 'gallery' : 'index'}.html`,
      // How long which plugin took is nothing that a newcomer can mend.
      checks: { bundlerTimings: false },
    },
  },
  worker: { format: 'es' },
}))
