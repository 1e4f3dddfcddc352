import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Folders in which each Markdown file has a page of the documents. */
const WITH_PAGES = ['docs', 'docs/cookbook']
/** Folders with packages or examples, whose README files have pages. */
const WITH_READMES = ['packages', 'packages/engines', 'examples']

/** Returns the Markdown files of which the console makes pages, and the folders whose time changes when a page is added. */
export function documentsOf(root) {
  const namesIn = (folder) => readdirSync(join(root, folder))
  const pages = WITH_PAGES.flatMap((folder) =>
    namesIn(folder)
      .filter((name) => name.endsWith('.md'))
      .map((name) => join(folder, name)),
  )
  const readmes = WITH_READMES.flatMap((folder) => namesIn(folder).map((name) => join(folder, name, 'README.md')))
  const found = readmes.filter((path) => existsSync(join(root, path)))
  return ['README.md', 'CHANGELOG.md', ...WITH_PAGES, ...pages, ...found]
}

/** Returns the time of the newest change of the documents, in epoch milliseconds. */
export const newestDocument = (root) => Math.max(...documentsOf(root).map((path) => statSync(join(root, path)).mtimeMs))
