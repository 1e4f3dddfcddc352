import { existsSync, statSync } from 'node:fs'
import { join, posix } from 'node:path'
import { describe, expect, it } from 'vitest'
import { anchorsOf } from './anchors'
import { ROOT } from './documents'
import { PAGES, proseOf, textOf } from './pages'

/** Files that are published beside the code link to pages by their address on the web. */
const ON_THE_WEB = /^https:\/\/github\.com\/matchyard\/matchyard\/(?:blob|tree)\/main\//

/**
 * Returns the fault of a page's link as a sentence; undefined when its target exists, or is elsewhere on the web, which
 * is not checked.
 */
function faultOf(page: string, link: string): string | undefined {
  const own = ON_THE_WEB.test(link)
  if (!own && /^[a-z]+:/.test(link)) return undefined
  const [path = '', anchor] = link.replace(ON_THE_WEB, '').split('#')
  const target = path === '' ? page : posix.join(own ? '' : posix.dirname(page), decodeURIComponent(path))
  if (target.startsWith('..') || !existsSync(join(ROOT, target))) return `${page}: ${link}: there is no ${target}`
  if (anchor === undefined) return undefined
  const file = statSync(join(ROOT, target)).isDirectory() ? posix.join(target, 'README.md') : target
  return anchorsOf(textOf(file)).has(anchor) ? undefined : `${page}: ${link}: ${file} has no such heading`
}

const linksOf = (page: string): string[] => [
  ...[...proseOf(textOf(page)).matchAll(/\]\(([^()\s]+)\)/g)].map(([, link = '']) => link),
]

describe('links', () => {
  it('are found', () => {
    expect(PAGES.flatMap(linksOf).length).toBeGreaterThan(300)
  })

  it('lead to a file that is there, and to a heading in it', () => {
    expect(PAGES.flatMap((page) => linksOf(page).flatMap((link) => faultOf(page, link) ?? []))).toEqual([])
  })

  it('every document is in the index', () => {
    const listed = linksOf('docs/README.md').map((link) => posix.join('docs', link.split('#')[0] ?? ''))
    const documents = PAGES.filter((page) => /^docs\/[^/]+\.md$/.test(page) && page !== 'docs/README.md')
    expect(documents.filter((page) => !listed.includes(page))).toEqual([])
  })

  it('every recipe is in the index of the cookbook', () => {
    const listed = linksOf('docs/cookbook/README.md').map((link) => posix.join('docs/cookbook', link))
    const recipes = PAGES.filter((page) => page.startsWith('docs/cookbook/') && page !== 'docs/cookbook/README.md')
    expect(recipes.length).toBeGreaterThan(10)
    expect(recipes.filter((page) => !listed.includes(page))).toEqual([])
  })

  it('a heading that is not there is noticed', () => {
    expect(faultOf('README.md', 'docs/limits.md#no-such-heading')).toContain('no such heading')
    expect(faultOf('docs/limits.md', 'no-such-page.md')).toContain('there is no docs/no-such-page.md')
    expect(
      faultOf('packages/core/README.md', 'https://github.com/matchyard/matchyard/blob/main/docs/nothing.md'),
    ).toContain('docs/nothing.md')
  })
})
