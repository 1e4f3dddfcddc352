import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'

/** One Markdown file of the repository, and its page. */
export interface DocsPage {
  /** Path of the file in the repository: `docs/cookbook/bans.md`. */
  readonly source: string
  /** Path of the page below `/docs/`: `cookbook/bans.html`. */
  readonly path: string
  readonly markdown: string
}

/** Folders in which each Markdown file has a page. Decisions are not included, because they are for authors of Matchyard. */
const WITH_ALL = ['docs', 'docs/cookbook']
/** Folders with packages or examples, whose README files have pages. */
const WITH_READMES = ['packages', 'packages/engines', 'examples']

/** Returns the pages of a repository, each index page first. */
export function readPages(root: string): readonly DocsPage[] {
  const markdownIn = (folder: string) =>
    readdirSync(join(root, folder))
      .filter((name) => name.endsWith('.md'))
      .map((name) => posix.join(folder, name))
  const readmesIn = (folder: string) =>
    readdirSync(join(root, folder))
      .map((name) => posix.join(folder, name, 'README.md'))
      .filter((path) => existsSync(join(root, path)))
  const sources = ['README.md', 'CHANGELOG.md', ...WITH_ALL.flatMap(markdownIn), ...WITH_READMES.flatMap(readmesIn)]
  return sources.map((source) => ({
    source,
    path: pathOf(source),
    markdown: readFileSync(join(root, source), 'utf8'),
  }))
}

/** Returns the path of the page of a Markdown file. */
export function pathOf(source: string): string {
  if (source === 'README.md') return 'about.html'
  const inDocs = source.startsWith('docs/') ? source.slice('docs/'.length) : source.toLowerCase()
  if (/^(?:cookbook\/)?README\.md$/.test(inDocs)) return inDocs.replace('README.md', 'index.html')
  return inDocs.replace(/\/readme\.md$|\.md$/, '.html')
}
