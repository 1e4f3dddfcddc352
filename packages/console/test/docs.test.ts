import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { groupsOf } from '../src/docs/layout'
import { readPages } from '../src/docs/pages'
import { render } from '../src/docs/render'
import { excerptOf } from '../src/page/docs/search'

const pages = readPages(fileURLToPath(new URL('../../..', import.meta.url)))
const rendered = new Map(pages.map((page) => [page.path, render(page, pages)]))

/** Returns the anchors of a page. */
const anchorsIn = (path: string) =>
  new Set([...(rendered.get(path)?.html ?? '').matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id))

describe('pages of the documents', () => {
  it('have all links to other pages and to headings as addresses that exist', () => {
    const broken: string[] = []
    for (const [path, { html }] of rendered)
      for (const [, href = ''] of html.matchAll(/\shref="([^"]+)"/g)) {
        if (/^[a-z]+:/.test(href)) continue
        const { pathname, hash } = new URL(href, `http://docs.example/docs/${path}`)
        const target = decodeURIComponent(pathname.replace(/^\/docs\//, ''))
        const isServed = pathname === '/openapi.json'
        if (isServed) continue
        if (!rendered.has(target)) broken.push(`${path}: ${href}`)
        else if (hash !== '' && !anchorsIn(target).has(decodeURIComponent(hash.slice(1))))
          broken.push(`${path}: ${href}`)
      }
    expect(broken).toEqual([])
    expect(rendered.size).toBeGreaterThan(60)
  })

  it('are all in the list beside the text, once', () => {
    const listed = groupsOf(rendered).flatMap(({ links }) => links.map(({ path }) => path))
    expect([...listed, 'index.html'].sort()).toEqual([...rendered.keys()].sort())
  })

  it('are found by their headings, each section with its own text', () => {
    const sections = rendered.get('machines.html')?.sections ?? []
    expect(sections[0]).toMatchObject({ path: 'machines.html', anchor: '', heading: sections[0]?.page })
    for (const { anchor, text } of sections.slice(1)) {
      expect(anchorsIn('machines.html')).toContain(anchor)
      expect(text).not.toContain('](')
    }
  })

  it('show the part of a text around the first word that was found', () => {
    const text = `${'before '.repeat(30)}the backfill of a match ${'after '.repeat(30)}`
    expect(excerptOf(text, ['backfill', 'absent'])).toMatch(/^… (before )+the backfill of a match (after )+.* …$/)
    expect(excerptOf('short text', ['absent'])).toBe('short text')
  })
})
