import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findBrowser, startBrowser } from '../../src/browser'
import { seriousFaults } from '../../src/console/axe'
import { Gallery, STATES, type State } from '../../src/console/gallery'
import { skipWithout } from '../../src/needs'

const LONG = { timeout: 240_000 }
/**
 * Whether `MATCHYARD_PROVE` is set: then each view is checked in each state, theme and width, otherwise only in some.
 */
const isProof = process.env.MATCHYARD_PROVE !== undefined

const LOOKS = [
  { theme: 'light', width: 1280 },
  { theme: 'dark', width: 390 },
  ...(isProof
    ? ([
        { theme: 'dark', width: 1280 },
        { theme: 'light', width: 390 },
      ] as const)
    : []),
] as const

let browser: Browser | undefined
let gallery: Gallery

beforeAll(async () => {
  const program = findBrowser()
  if (program === undefined) return
  browser = await startBrowser(program)
  gallery = await Gallery.start(browser)
}, 120_000)
afterAll(async () => {
  if (browser === undefined) return
  await gallery.stop()
  await browser.close()
})

describe.each(LOOKS)('every view, $theme and $width wide', ({ theme, width }) => {
  for (const asked of isProof ? STATES : [undefined]) {
    it(
      `is good for everybody, and not wider than the page: ${asked ?? 'data, empty or failed'}`,
      LONG,
      async (context) => {
        if (browser === undefined) return skipWithout(context, 'a browser', 'no Chromium on the path')
        const look = { viewport: { width, height: 844 }, colorScheme: theme, reducedMotion: 'reduce' } as const
        const page = await browser.newPage(look)
        const wrong: string[] = []
        page.on('pageerror', (error) => wrong.push(String(error.stack)))
        for (const [index, view] of gallery.views.entries()) {
          for (const state of asked === undefined ? someOf(index, width) : [asked]) {
            await gallery.show(page, view, state)
            for (const fault of await faultsOf(page)) wrong.push(`${view.name} ${state}: ${fault}`)
          }
        }
        await page.close()
        expect(wrong).toEqual([])
      },
    )
  }
})

/**
 * Returns the states to check of one view. Each view is checked with data in one theme. Empty and failed look alike in
 * all views, so they are checked in turn.
 */
function someOf(index: number, width: number): readonly State[] {
  const isEven = index % 2 === 0
  if (width === 390) return isEven ? [] : ['data']
  return [isEven ? 'data' : index % 4 === 1 ? 'empty' : 'failed']
}

async function faultsOf(page: Page): Promise<readonly string[]> {
  const isWide = await page.evaluate('document.documentElement.scrollWidth > innerWidth')
  const made = await page.locator('#console img, #console b, #console script').count()
  return [
    ...(await seriousFaults(page)),
    ...(isWide ? ['it is wider than the page'] : []),
    ...(made > 0 ? ['what somebody chose became an element'] : []),
  ]
}
