import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'
import { DOCS_ENTRY, docsPages } from './src/docs/plugin.ts'

const page = fileURLToPath(new URL('src/page', import.meta.url))
const root = fileURLToPath(new URL('../..', import.meta.url))

/** Builds the console and the pages of the documents, or with `--mode gallery` the page that shows every view in every state. */
export default defineConfig(({ mode }) => ({
  root: page,
  // Addresses are relative, because the service may be under a path of a site.
  base: './',
  plugins: mode === 'gallery' ? [] : [docsPages(root)],
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
      input:
        mode === 'gallery'
          ? `${page}/gallery.html`
          : { index: `${page}/index.html`, [DOCS_ENTRY]: `${page}/docs/main.ts` },
      // The timings of build plugins do not help developers, so no warning shows them.
      checks: { bundlerTimings: false },
    },
  },
  worker: { format: 'es' },
}))
