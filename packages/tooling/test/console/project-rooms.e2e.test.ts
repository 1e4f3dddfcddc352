import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { PROGRAM, zipOf } from '../../src/console/archive'
import { PATIENCE } from '../../src/console/console-browser'
import { consoleUnderTest } from '../../src/console/console-under-test'
import { eventually } from '../../src/eventually'

const tried = consoleUnderTest()
const LONG = { timeout: 180_000 }

/** Drops a file on the page's drop area. */
async function drop(page: Page, name: string, bytes: Buffer): Promise<void> {
  const given = await page.evaluateHandle(
    ({ name: called, text }) => {
      const browser = globalThis as unknown as { DataTransfer: new () => { items: { add(file: unknown): void } } }
      const transfer = new browser.DataTransfer()
      transfer.items.add(new File([Uint8Array.from(atob(text), (char) => char.charCodeAt(0))], called))
      return transfer
    },
    { name, text: bytes.toString('base64') },
  )
  await page.dispatchEvent('.drop', 'drop', { dataTransfer: given })
}

it('a build is dropped, uploaded and read; a bad one says what is wrong with it', LONG, async (context) => {
  const window = await tried.signedIn(context)
  const { page } = window
  await window.go('/builds')
  await page.getByText('Drop a ZIP').waitFor(PATIENCE)
  await drop(page, 'My arena (final).zip', await zipOf({ [PROGRAM]: '#!/usr/bin/env node\n' }))
  const dialog = page.getByRole('dialog')
  expect(await dialog.getByLabel('Name').inputValue()).toBe('My-arena-final-')
  await dialog.getByLabel('Name').fill('arena-x')
  await dialog.getByLabel('Program').fill(PROGRAM)
  await dialog.getByRole('button', { name: 'Upload', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'arena-x' }).waitFor(PATIENCE)
  await page.getByText('Ready').first().waitFor(PATIENCE)
  expect(await window.faults()).toEqual([])

  // The new version is preset with the program of the version before.
  await drop(page, 'arena-x.zip', await zipOf({ 'readme.txt': 'nothing to run' }))
  expect(await dialog.getByLabel('Program').inputValue()).toBe(PROGRAM)
  await dialog.getByRole('button', { name: 'Upload', exact: true }).click()
  await page.getByText('Failed').first().waitFor(PATIENCE)
  await page.getByRole('heading', { name: 'Version 2', exact: true }).waitFor(PATIENCE)
  await page.getByText(PROGRAM, { exact: false }).first().waitFor(PATIENCE)
  await page.getByRole('button', { name: 'Delete version 2' }).click()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByRole('heading', { name: 'Version 1', exact: true }).waitFor(PATIENCE)
  expect(window.wrong).toEqual([])
  await window.close()
})

it('a key is shown once, holds, and is revoked', LONG, async (context) => {
  const window = await tried.signedIn(context)
  const { page } = window
  await window.go('/settings')
  await page.getByRole('button', { name: 'New key' }).click(PATIENCE)
  await page.getByLabel('Type').selectOption('server')
  await page.getByLabel('Name').fill('A key of this test')
  await page.getByLabel('Lifetime').selectOption('3600')
  await page.getByRole('button', { name: 'Create key' }).click()
  const value = (await page.locator('.secret code').textContent(PATIENCE)) ?? ''
  expect(value).toMatch(/^sk_live_[0-9A-Za-z]{36}$/)
  expect(await window.faults()).toEqual([])
  await page.getByRole('button', { name: 'I have stored the key' }).click()
  const row = page.getByRole('row', { name: /A key of this test/ })
  await row.getByText('min left').waitFor(PATIENCE)
  expect(await page.content()).not.toContain(value)
  const ask = async () => {
    const headers = { 'api-key': value }
    return (await fetch(`${tried.service.credentials.base_url}/v1/queues`, { headers })).status
  }
  expect(await ask()).toBe(200)
  await row.getByRole('button', { name: 'Revoke' }).click()
  await page.getByRole('button', { name: 'Revoke key' }).click()
  await row.waitFor({ ...PATIENCE, state: 'detached' })
  expect(await ask()).toBe(401)
  await page.getByLabel('Show all keys').check()
  await row.getByText('Revoked').waitFor(PATIENCE)
  expect(await window.faults()).toEqual([])
  expect(window.wrong).toEqual([])
  await window.close()
})

it('a webhook is made, tried and sent to again', LONG, async (context) => {
  const window = await tried.signedIn(context)
  const { page } = window
  const heard: string[] = []
  const endpoint = createServer((request, answer) => {
    heard.push(String(request.headers['webhook-id']))
    answer.writeHead(heard.length === 1 ? 204 : 200).end()
  })
  await new Promise<void>((resolve) => endpoint.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(endpoint.address() as AddressInfo).port}/hooks`
  try {
    await window.go('/settings/webhooks')
    await page.getByRole('button', { name: 'New webhook' }).click(PATIENCE)
    await page.getByLabel('URL').fill('http://10.1.2.3/hooks')
    await page.getByRole('button', { name: 'Create webhook' }).click()
    // The page shows the service's own error text.
    await page.locator('.hint.wrong').waitFor(PATIENCE)
    await page.getByLabel('URL').fill(url)
    await page.getByRole('button', { name: 'Create webhook' }).click()
    expect(await page.locator('.secret code').textContent(PATIENCE)).toMatch(/^whsec_/)
    await page.getByRole('button', { name: 'I have stored the secret' }).click()
    await page.getByRole('link', { name: url }).click(PATIENCE)
    await page.getByRole('button', { name: 'Send a test message' }).click(PATIENCE)
    await page.getByText('status 204').first().waitFor(PATIENCE)
    await page.getByRole('button', { name: 'Redeliver' }).first().click()
    await page.getByText('status 200').first().waitFor(PATIENCE)
    await eventually(
      () => heard.length,
      (count) => count === 2,
    )
    expect(new Set(heard).size).toBe(1)
    await page.getByRole('button', { name: 'Show the attempts' }).first().click()
    await page.locator('.attempts').getByText('status 200').waitFor(PATIENCE)
    expect(await window.faults()).toEqual([])
    expect(window.wrong).toEqual([])
  } finally {
    endpoint.closeAllConnections()
    endpoint.close()
  }
  await window.close()
})

it('usage and plan say what ran and what may', LONG, async (context) => {
  const window = await tried.signedIn(context, { theme: 'dark' })
  await window.go('/usage')
  await window.page.getByText('Concurrent servers').waitFor(PATIENCE)
  await window.page.getByText('Estimate for the month').waitFor(PATIENCE)
  await window.page.getByText('Usage by').first().waitFor(PATIENCE)
  expect(await window.faults()).toEqual([])
  await window.go('/settings/players')
  await window.page.getByText('Player ids trusted').first().waitFor(PATIENCE)
  expect(await window.faults()).toEqual([])
  expect(window.wrong).toEqual([])
  await window.close()
})
