import { expect, it } from 'vitest'
import { PATIENCE } from '../../src/console/console-browser'
import { consoleUnderTest } from '../../src/console/console-under-test'
import { SubPath } from '../../src/console/sub-path'
import { eventually } from '../../src/eventually'

const tried = consoleUnderTest()
const LONG = { timeout: 180_000 }

it('light and dark are changed while it is looked at, by its buttons and by the system', LONG, async (context) => {
  const window = await tried.signedIn(context)
  const { page } = window
  const ground = () => page.evaluate('getComputedStyle(document.body).backgroundColor')
  /** Waits for a background colour. The page learns of a changed setting only after the browser has applied it. */
  const becomes = (wanted: unknown) => eventually(ground, (now) => now === wanted)
  const light = await ground()
  let loads = 0
  page.on('load', () => loads++)
  await page.getByRole('button', { name: 'Dark' }).click(PATIENCE)
  const dark = await ground()
  expect(dark).not.toBe(light)
  expect(await window.faults()).toEqual([])
  // The chosen theme wins over the system's, and is kept after a reload.
  await page.emulateMedia({ colorScheme: 'light' })
  expect(await ground()).toBe(dark)
  await page.reload()
  await page.getByRole('heading', { level: 1, name: 'Now' }).waitFor(PATIENCE)
  await becomes(dark)

  await page.getByRole('button', { name: 'Same as system' }).click()
  await becomes(light)
  await page.emulateMedia({ colorScheme: 'dark' })
  await becomes(dark)
  await page.emulateMedia({ colorScheme: 'light' })
  await becomes(light)
  expect(loads).toBe(1)
  expect(await window.faults()).toEqual([])
  expect(window.wrong).toEqual([])
  await window.close()
})

it(
  'works under a path of a site: the page, the feed, players, the engine’s worker and uploads',
  LONG,
  async (context) => {
    const window = await tried.open(context)
    const { page } = window
    const { email, password, base_url } = tried.service.credentials
    const site = await SubPath.start(base_url, '/play/matchyard')
    try {
      const outside: string[] = []
      page.on('request', (asked) => {
        if (asked.url().startsWith('http') && !asked.url().startsWith(`${site.url}/`)) outside.push(asked.url())
      })
      // The page is opened first at the address that people type, then at the address of one view.
      await page.goto(`${site.url}/`)
      await page.getByRole('heading', { name: 'Sign in to Matchyard' }).waitFor(PATIENCE)
      expect(page.url()).toBe(`${site.url}/console/`)
      await page.goto(`${site.url}/console#/lobbies`)
      await page.getByLabel('E-mail').fill(email, PATIENCE)
      await page.getByLabel('Password').fill(password)
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByRole('heading', { level: 1, name: 'Lobbies' }).waitFor(PATIENCE)
      await page.getByText('Live', { exact: true }).first().waitFor(PATIENCE)
      expect(page.url().replace(/~prj_\w+\//, '')).toBe(`${site.url}/console/#/lobbies`)

      await window.go('/playground')
      await page.getByRole('button', { name: 'Play a test match' }).click(PATIENCE)
      await page.getByRole('log', { name: 'Server log' }).getByText(/./).first().waitFor(PATIENCE)

      await window.go('/queues/demo')
      await page.getByRole('tab', { name: 'Generated players' }).click(PATIENCE)
      await page.getByRole('button', { name: 'Compare' }).click()
      await page.getByRole('row', { name: 'Matched parties' }).waitFor(PATIENCE)

      await window.go('/builds')
      await page
        .getByLabel('Archive')
        .setInputFiles(
          { name: 'under.zip', mimeType: 'application/zip', buffer: Buffer.from('no archive at all') },
          PATIENCE,
        )
      await page.getByLabel('Program').fill('server')
      await page.getByRole('button', { name: 'Upload', exact: true }).click()
      // The upload arrived and was read, because it is reported as a bad archive.
      await page.getByText('Failed', { exact: true }).first().waitFor(PATIENCE)
      expect(outside).toEqual([])
      expect(window.wrong).toEqual([])
      await window.close()
    } finally {
      await site.stop()
    }
  },
)
