import { expect, it } from 'vitest'
import { findBrowser, startBrowser } from '../../src/browser'
import { PATIENCE } from '../../src/console/console-browser'
import { Gallery } from '../../src/console/gallery'
import { skipWithout } from '../../src/needs'

it('reloads once when an update of the service removed the files of the page, and shows the error after that', {
  timeout: 120_000,
}, async (context) => {
  const program = findBrowser()
  if (program === undefined) return skipWithout(context, 'a browser', 'no Chromium on the path')
  const browser = await startBrowser(program)
  const gallery = await Gallery.start(browser)
  try {
    const page = await browser.newPage()
    // With this setting of the browser, the page loads a section only when the section is entered.
    await page.addInitScript("Object.defineProperty(navigator, 'connection', { value: { saveData: true } })")
    const now = gallery.views.find(({ name }) => name === 'now')
    if (now === undefined) throw new Error('no view now')
    await gallery.show(page, now, 'data')
    let loads = 0
    page.on('load', () => loads++)
    await page.route('**/assets/view-*.js', (route) => route.fulfill({ status: 404 }))

    // The files are missing, but the service still has the same page: a reload would change nothing.
    await page.evaluate("location.hash = '#/usage'")
    await page.getByRole('alert').waitFor(PATIENCE)
    expect(loads).toBe(0)

    await page.route('**/console/*', async (route) => {
      if (route.request().resourceType() !== 'fetch') return route.continue()
      return route.fulfill({ body: '<script type="module" src="./assets/next.js"></script>' })
    })
    await page.evaluate("location.hash = '#/builds'")
    await page.waitForEvent('load', PATIENCE)
    // The reloaded page is the old one again, so it shows the error instead of another reload.
    await page.getByRole('alert').waitFor(PATIENCE)
    expect(loads).toBe(1)
  } finally {
    await gallery.stop()
    await browser.close()
  }
})
