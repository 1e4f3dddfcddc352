import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { RULE_KINDS } from '@matchyard/matchmaking'
import { describe, expect, it } from 'vitest'
import { groupsOf } from '../src/docs/layout'
import { readPages } from '../src/docs/pages'
import { render } from '../src/docs/render'
import { excerptOf } from '../src/page/docs/search'
import { HELP, HELP_ON_RULES } from '../src/page/ui/help'

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

/** Files with forms of settings. Each card and each form dialog in them has a link to the documents. */
const FORMS = [
  ...['rules-form', 'role-teams', 'match-forms', 'lobbies-form', 'server-forms', 'game-server', 'rating-form'],
  ...['queue-switches', 'new-queue', 'compare'],
].map((name) => `queues/${name}`)
const OTHER_FORMS = [
  ...['ratings/settings', 'ratings/new-rating', 'ratings/start-season'],
  ...['settings/webhook-form', 'settings/issuer', 'settings/invite', 'usage/budget-card', 'usage/budget-dialog'],
]

const sourceOf = (name: string) => readFileSync(new URL(`../src/page/rooms/${name}.tsx`, import.meta.url), 'utf8')

describe('help links of the console', () => {
  it('lead to pages and headings that exist', () => {
    const broken = [...Object.values(HELP), ...Object.values(HELP_ON_RULES)].filter(({ page }) => {
      const [path = '', anchor] = page.split('#')
      return !rendered.has(path) || (anchor !== undefined && !anchorsIn(path).has(anchor))
    })
    expect(broken).toEqual([])
  })

  it('exist for each rule type, with names that differ', () => {
    expect(Object.keys(HELP_ON_RULES).sort()).toEqual(
      Object.values(RULE_KINDS)
        .map(({ type }) => type)
        .sort(),
    )
    const names = [...Object.values(HELP), ...Object.values(HELP_ON_RULES)].map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
  })

  it.each([...FORMS, ...OTHER_FORMS])('are in each card and each dialog of %s', (name) => {
    const opened = sourceOf(name)
      .split(/<(?=(?:Card|FormDialog)\b)/)
      .slice(1)
    expect(opened.length).toBeGreaterThan(0)
    for (const tag of opened) expect(tag.slice(0, 240)).toContain('help={<HelpLink on={HELP')
  })

  it('are all used', () => {
    const all = [...FORMS, ...OTHER_FORMS, 'settings/webhooks', 'settings/player-proof', 'settings/members']
    const used = all.map(sourceOf).join('')
    expect(Object.keys(HELP).filter((key) => !used.includes(`HELP.${key}}`))).toEqual([])
  })
})
