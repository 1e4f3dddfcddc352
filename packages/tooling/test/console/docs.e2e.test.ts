import { expect, it } from 'vitest'
import { seriousFaults } from '../../src/console/axe'
import { PATIENCE } from '../../src/console/console-browser'
import { consoleUnderTest } from '../../src/console/console-under-test'

const tried = consoleUnderTest()
const LONG = { timeout: 120_000 }

it('the documents are found by their search, by keyboard alone', LONG, async (context) => {
  const { page } = await tried.open(context)
  const docs = `${tried.service.credentials.base_url}/docs`
  await page.goto(docs)
  await page.getByRole('heading', { level: 1 }).waitFor(PATIENCE)
  await page.keyboard.press('/')
  await page.keyboard.type('zzqqxxyy')
  await page.getByText('No page contains these words.').waitFor(PATIENCE)
  await page.keyboard.press('Escape')
  await page.keyboard.type('retire or update a machine')
  const best = page.getByRole('option', { selected: true })
  await best.getByText('Retire or update a machine', { exact: true }).waitFor(PATIENCE)
  expect(await seriousFaults(page)).toEqual([])
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/docs\/machines\.html#retire-or-update-a-machine$/, PATIENCE)
  await page.getByRole('heading', { name: 'Retire or update a machine' }).waitFor(PATIENCE)
})

it('the documents are readable, light and dark, on a wide and on a narrow screen', LONG, async (context) => {
  const { page } = await tried.open(context)
  const docs = `${tried.service.credentials.base_url}/docs`
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 900 })
      for (const path of ['index', 'self-hosting', 'cookbook/index', 'packages/client']) {
        await page.goto(`${docs}/${path}.html`)
        const [theme, beside] = await page.evaluate<[string, number]>(
          '[document.documentElement.dataset.theme, document.documentElement.scrollWidth - innerWidth]',
        )
        expect([path, width, theme, beside]).toEqual([path, width, colorScheme, 0])
        expect([path, await seriousFaults(page)]).toEqual([path, []])
      }
    }
  }
})
