import { readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { faultsOfHtml } from '@matchyard/tooling/html'
import { describe, expect, test } from 'vitest'
import { ROOT } from './documents'

const LEFT_OUT = /(^|\/)(node_modules|dist|test)(\/|$)/

/** Paths of all hand-written HTML pages. */
const pages = ['packages', 'examples'].flatMap((top) =>
  readdirSync(join(ROOT, top)).flatMap((name) => htmlBelow(posix.join(top, name))),
)

function htmlBelow(folder: string): string[] {
  if (LEFT_OUT.test(folder)) return []
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = posix.join(folder, entry.name)
    return entry.isDirectory() ? htmlBelow(path) : entry.name.endsWith('.html') ? [path] : []
  })
}

describe('pages are HTML by the standard', () => {
  test('those of the console, of the examples and of the template are found', () => {
    expect(pages).toEqual(
      expect.arrayContaining([
        'packages/console/src/page/index.html',
        'packages/create-matchyard/template/page/index.html',
        'examples/arena/page/index.html',
      ]),
    )
  })

  test.each(pages)('%s', async (path) => {
    expect(await faultsOfHtml(readFileSync(join(ROOT, path), 'utf8'))).toEqual([])
  })

  test('what is wrong is told with its line', async () => {
    const [first] = await faultsOfHtml('<!doctype html>\n<p>one<div></p></div>')
    expect(first).toMatch(/^line 2: .+ \([a-z-]+\)$/)
  })
})
