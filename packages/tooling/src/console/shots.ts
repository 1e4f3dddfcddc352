// `npm run console:shots [folder] [name of a view …]`: takes a screenshot of each view in each state, light and dark,
// wide and narrow.
import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { findBrowser, startBrowser } from '../browser'
import { Gallery, STATES } from './gallery'

const [folder = 'console-shots', ...names] = process.argv.slice(2)
const SIZES = [
  [1280, 800],
  [390, 844],
] as const

const program = findBrowser()
if (program === undefined) throw new Error('there is no browser: install the package chromium')
const browser = await startBrowser(program)
const gallery = await Gallery.start(browser)
mkdirSync(resolve(folder), { recursive: true })
let count = 0
for (const theme of ['light', 'dark'] as const) {
  for (const [width, height] of SIZES) {
    const page = await browser.newPage({ viewport: { width, height }, colorScheme: theme, reducedMotion: 'reduce' })
    for (const view of gallery.views.filter(
      ({ name }) => names.length === 0 || names.some((one) => name.startsWith(one)),
    )) {
      for (const state of STATES) {
        await gallery.show(page, view, state)
        await page.screenshot({ path: join(folder, `${view.name}-${state}-${theme}-${width}.png`) })
        count++
      }
    }
    await page.close()
  }
}
await browser.close()
await gallery.stop()
process.stdout.write(`${count} pictures in ${resolve(folder)}\n`)
