import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ENTRY_POINTS, writeReference } from '@matchyard/tooling/library-reference'
import { temporaryFolder } from '@matchyard/tooling/temporary-folder'
import { expect, test } from 'vitest'
import { anchorsOf } from './anchors'

test('every entry point has a page with a comment on each name, without a warning, and with links that lead somewhere', {
  timeout: 600_000,
}, async () => {
  const folder = await temporaryFolder()
  expect(await writeReference(folder)).toEqual([])
  const pages = ENTRY_POINTS.map((entryPoint) => `${entryPoint}.md`)
  expect(pages.filter((page) => !existsSync(join(folder, page)))).toEqual([])
  const texts = new Map(['README.md', ...pages].map((page) => [page, readFileSync(join(folder, page), 'utf8')]))
  const anchors = new Map([...texts].map(([page, text]) => [page, anchorsOf(text)]))
  let links = 0
  const faults = [...texts].flatMap(([page, text]) =>
    [...text.matchAll(/\]\(([^()\s]+)\)/g)].flatMap(([, link = '']) => {
      if (/^https?:/.test(link)) return []
      links++
      const [path = '', anchor] = link.split('#')
      const known = anchors.get(path === '' ? page : join(dirname(page), path))
      return known !== undefined && (anchor === undefined || known.has(anchor)) ? [] : [`${page}: ${link}`]
    }),
  )
  expect(faults).toEqual([])
  expect(links).toBeGreaterThan(1_000)
})
