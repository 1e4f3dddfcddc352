import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { ROOT } from './documents'

/**
 * Paths of all pages for readers, relative to the root: documents, decision records, and the READMEs of packages and
 * examples.
 */
export const PAGES: readonly string[] = [
  'README.md',
  'CHANGELOG.md',
  'SECURITY.md',
  ...pagesBelow('docs'),
  ...['packages', 'examples'].flatMap((folder) =>
    readdirSync(join(ROOT, folder)).flatMap((name) =>
      ['README.md', 'template/README.md', 'cpp/README.md', 'godot/README.md', 'unity/README.md']
        .map((page) => posix.join(folder, name, page))
        .filter((page) => existsSync(join(ROOT, page))),
    ),
  ),
].sort()

function pagesBelow(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = posix.join(folder, entry.name)
    // `npm run reference` writes `docs/reference`; `library-reference.int.test.ts` checks its links.
    if (entry.isDirectory()) return ['node_modules', 'reference'].includes(entry.name) ? [] : pagesBelow(path)
    return entry.name.endsWith('.md') ? [path] : []
  })
}

export const textOf = (page: string): string => readFileSync(join(ROOT, page), 'utf8')

/** Returns the text without code blocks. */
export const withoutBlocks = (text: string): string => text.replace(/^ *```[\s\S]*?^ *```/gm, '')

/** Returns the text without any code. */
export const proseOf = (text: string): string => withoutBlocks(text).replace(/`[^`\n]*`/g, '`')
