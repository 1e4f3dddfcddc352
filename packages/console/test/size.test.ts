import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { consoleFiles } from '../src/index'

/** Maximum size of the first load in kilobytes (1,000 bytes), gzipped. */
const AT_MOST = 80
/** Maximum size of the font in kilobytes; browsers load the font beside the scripts and styles. */
const FONT_AT_MOST = 50

const folder = fileURLToPath(consoleFiles)

/**
 * Returns the files that are loaded before the page shows anything: its scripts and styles, and their static imports.
 */
function loadedAtFirst(): readonly string[] {
  const index = readFileSync(`${folder}index.html`, 'utf8')
  const all = readdirSync(`${folder}assets`)
  const named = (text: string) => all.filter((name) => text.includes(name))
  const loaded = new Set<string>(named(index))
  for (const name of loaded) {
    if (!name.endsWith('.js')) continue
    const text = readFileSync(`${folder}assets/${name}`, 'utf8')
    // Static imports are `import"./x.js"` and `from"./x.js"`. A dynamic `import("./x.js")` loads later and does not
    // count.
    for (const [, next = ''] of text.matchAll(/(?:import|from)\s*["']\.\/([^"']+)["']/g)) loaded.add(next)
  }
  return [...loaded]
}

const sizeOf = (file: string): number => gzipSync(readFileSync(file)).byteLength / 1_000

const isFont = (name: string): boolean => name.endsWith('.woff2')

it(`is loaded by less than ${AT_MOST} kB, gzipped, until the first room is asked for`, () => {
  const sizes = loadedAtFirst()
    .filter((name) => !isFont(name))
    .map((name) => [name, sizeOf(`${folder}assets/${name}`)] as const)
  const total = sizes.reduce((sum, [, size]) => sum + size, sizeOf(`${folder}index.html`))
  expect(sizes.length).toBeGreaterThan(1)
  expect(total, sizes.map(([name, size]) => `${name} ${size.toFixed(1)}`).join(', ')).toBeLessThan(AT_MOST)
})

it(`preloads one font of less than ${FONT_AT_MOST} kB, and its license is beside it`, () => {
  const [font, ...others] = readdirSync(`${folder}assets`).filter(isFont)
  expect(others).toEqual([])
  expect(readFileSync(`${folder}index.html`, 'utf8')).toContain(`./assets/${font}`)
  expect(readFileSync(`${folder}assets/${font}`).byteLength / 1_000).toBeLessThan(FONT_AT_MOST)
  expect(readFileSync(`${folder}assets/inter-license.txt`, 'utf8')).toContain('SIL OPEN FONT LICENSE')
})

it('has nothing inline, so that its policy can be strict', () => {
  const index = readFileSync(`${folder}index.html`, 'utf8')
  expect(index).not.toMatch(/<script(?![^>]*\ssrc=)/)
  expect(index).not.toMatch(/<style|\sstyle=|\son\w+=/)
})
