import type { Locator } from 'playwright-core'
import { expect, it } from 'vitest'
import { PATIENCE } from '../../src/console/console-browser'
import { consoleUnderTest } from '../../src/console/console-under-test'

const tried = consoleUnderTest()
const LONG = { timeout: 180_000 }
const MOST_CLICKS = 6

it('leads from the ready line to a match that is watched, by clicking only', LONG, async (context) => {
  const window = await tried.open(context)
  const { page } = window
  let clicks = 0
  const click = async (place: Locator) => {
    clicks++
    await place.click(PATIENCE)
  }
  const began = performance.now()
  await window.signInBy(tried.service.consoleLink)
  await click(page.getByRole('link', { name: 'Playground' }).first())
  await click(page.getByRole('button', { name: 'Play a test match' }))
  const log = page.getByRole('log', { name: 'Server log' })
  await log.getByText(/./).first().waitFor(PATIENCE)
  await page.getByText('Running', { exact: true }).first().waitFor(PATIENCE)
  // Printed for readers of the run. The duration depends on the machine, so the test does not limit it.
  console.log(`a match was watched after ${((performance.now() - began) / 1_000).toFixed(1)} s and ${clicks} clicks`)
  expect(clicks).toBeLessThanOrEqual(MOST_CLICKS)
  expect(await window.faults()).toEqual([])

  // The views of matches and servers show the running match and its server.
  await window.go('/matches')
  await page.getByRole('row').filter({ hasText: 'Running' }).first().waitFor(PATIENCE)
  await page.getByRole('row').filter({ hasText: 'Running' }).first().getByRole('link').first().click()
  await page.getByText('team_1').first().waitFor(PATIENCE)
  await window.go('/servers')
  await page.getByRole('row').filter({ hasText: 'Running' }).first().getByRole('link').first().click()
  await page.getByRole('log', { name: 'Server log' }).getByText(/./).first().waitFor(PATIENCE)
  await page.getByRole('button', { name: 'Stop' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Stop server' }).click()
  await page.getByText('Stopped', { exact: true }).first().waitFor(PATIENCE)
  expect(window.wrong).toEqual([])
  await window.close()
})
