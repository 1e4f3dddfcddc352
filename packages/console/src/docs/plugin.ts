import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin, Rolldown } from 'vite'
import { documentOf, groupsOf } from './layout.ts'
import { pictureOf } from './links.ts'
import { readPages } from './pages.ts'
import { render } from './render.ts'

/** Name of the entry with the script and the styles of the pages. */
export const DOCS_ENTRY = 'docs'
/** Path from a page to the console's files. */
const CONSOLE = '../console/'

/** Sets the theme that was chosen in the console, before the first paint. */
const THEME = `(() => {
  let chosen = null
  try { chosen = localStorage.getItem('matchyard.theme') } catch {}
  const isDark = matchMedia('(prefers-color-scheme: dark)').matches
  document.documentElement.dataset.theme = chosen === 'light' || chosen === 'dark' ? chosen : isDark ? 'dark' : 'light'
})()
`

/** Vite plugin that adds the documents of the repository `root` as pages in `docs/`. */
export function docsPages(root: string): Plugin {
  return {
    name: 'matchyard-docs',
    generateBundle(_, bundle) {
      const files = Object.values(bundle)
      const entry = files.find((file) => file.type === 'chunk' && file.isEntry && file.name === DOCS_ENTRY)
      if (entry?.type !== 'chunk') throw new Error('the script of the documents was not built')
      const pages = readPages(root)
      const rendered = new Map(pages.map((page) => [page.path, render(page, pages)]))
      const groups = groupsOf(rendered)
      const asset = (name: string, source: string) =>
        CONSOLE + this.getFileName(this.emitFile({ type: 'asset', name, source }))
      const assets = {
        scripts: [CONSOLE + entry.fileName],
        styles: [...stylesOf(entry, bundle)].map((file) => CONSOLE + file),
        theme: asset('docs-theme.js', THEME),
        sections: asset(
          'docs-sections.json',
          JSON.stringify([...rendered.values()].flatMap(({ sections }) => sections)),
        ),
        icon: asset('icon.svg', readFileSync(join(root, 'packages/console/src/page/icon.svg'), 'utf8')),
      }
      for (const [path, page] of rendered)
        this.emitFile({ type: 'asset', fileName: `docs/${path}`, source: documentOf(path, page, groups, assets) })
      for (const picture of new Set([...rendered.values()].flatMap(({ pictures }) => [...pictures])))
        this.emitFile({
          type: 'asset',
          fileName: `docs/${pictureOf(picture)}`,
          source: readFileSync(join(root, picture)),
        })
    },
  }
}

/** Returns the styles of a script and of the scripts that it imports, in the order in which they apply. Scripts may import one another. */
function stylesOf(entry: Rolldown.OutputChunk, bundle: Rolldown.OutputBundle): Set<string> {
  const styles = new Set<string>()
  const visited = new Set<string>()
  const visit = (chunk: Rolldown.OutputChunk): void => {
    if (visited.has(chunk.fileName)) return
    visited.add(chunk.fileName)
    for (const name of chunk.imports) {
      const imported = bundle[name]
      if (imported?.type === 'chunk') visit(imported)
    }
    for (const file of chunk.viteMetadata?.importedCss ?? []) styles.add(file)
  }
  visit(entry)
  return styles
}
