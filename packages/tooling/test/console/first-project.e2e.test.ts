import { expect, it } from 'vitest'
import { PROGRAM, zipOf } from '../../src/console/archive'
import { PATIENCE } from '../../src/console/console-browser'
import { consoleUnderTest } from '../../src/console/console-under-test'

const tried = consoleUnderTest()
const LONG = { timeout: 180_000 }

/** The smallest game server: binds the port that it was given. */
const SERVER = `#!/usr/bin/env node
import { createSocket } from 'node:dgram'
createSocket('udp4').bind(Number(process.env.PORT_GAME), () => console.log('here I am'))
`

it('from an empty project to its first match, each step ticked off, by clicking', LONG, async (context) => {
  const window = await tried.signedIn(context)
  const { page } = window
  await page.getByRole('button', { name: 'Demo', exact: true }).click(PATIENCE)
  await page.getByLabel('New project').fill('From nothing')
  await page.getByRole('button', { name: 'Create', exact: true }).click()
  const steps = page.getByRole('region', { name: 'First steps' })
  const next = (name: string) => steps.getByRole('link', { name, exact: true }).click(PATIENCE)
  const home = () => page.getByRole('link', { name: 'Now', exact: true }).first().click()
  // The values of the project's two first keys were never shown, so the developer creates a new key.
  await steps.getByText('1 of 5 done').waitFor(PATIENCE)
  expect(await window.faults()).toEqual([])

  await steps.getByRole('button', { name: /Create a key/ }).click()
  await next('Keys')
  await page.getByRole('button', { name: 'New key' }).click(PATIENCE)
  await page.getByRole('button', { name: 'Create key' }).click()
  await page.getByRole('button', { name: 'I have stored the key' }).click(PATIENCE)
  await home()

  await next('Builds')
  await page
    .getByLabel('Archive')
    .setInputFiles(
      { name: 'arena.zip', mimeType: 'application/zip', buffer: await zipOf({ [PROGRAM]: SERVER }) },
      PATIENCE,
    )
  await page.getByLabel('Program').fill(PROGRAM)
  await page.getByRole('button', { name: 'Upload', exact: true }).click()
  await page.getByText('Ready', { exact: true }).first().waitFor(PATIENCE)
  await home()
  await steps.getByText('2 of 5 done').waitFor(PATIENCE)

  await next('Queues')
  await page.getByRole('button', { name: 'New queue' }).click(PATIENCE)
  const dialog = page.getByRole('dialog')
  expect(await window.faults()).toEqual([])
  // An error is shown beside the field that it is about.
  await dialog.getByLabel('Players per team').fill('0')
  await dialog.getByRole('button', { name: 'Create queue' }).click()
  await dialog.locator('.field', { hasText: 'Players per team' }).locator('.hint.wrong').waitFor(PATIENCE)
  await dialog.getByLabel('Players per team').fill('1')
  expect(await dialog.getByLabel('Game server').inputValue()).toBe('arena')
  await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('My first duel')
  expect(await dialog.getByLabel('Port 1, name').inputValue()).toBe('game')
  expect(await window.faults()).toEqual([])
  await dialog.getByRole('button', { name: 'Create queue' }).click()
  await page.getByRole('heading', { level: 1, name: 'My first duel' }).waitFor(PATIENCE)
  await home()
  await steps.getByText('3 of 5 done').waitFor(PATIENCE)

  await next('Playground')
  await page.getByRole('button', { name: 'Play a test match' }).click(PATIENCE)
  await page.getByRole('log', { name: 'Server log' }).getByText('here I am').waitFor(PATIENCE)
  await page.getByText('Running', { exact: true }).first().waitFor(PATIENCE)
  await home()
  await steps.getByText('4 of 5 done').waitFor(PATIENCE)
  expect(await window.faults()).toEqual([])
  expect(window.wrong).toEqual([])
  await window.close()
})
