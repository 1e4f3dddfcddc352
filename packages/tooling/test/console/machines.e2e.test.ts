import { createAdmin } from '@matchyard/client/admin'
import { expect, it } from 'vitest'
import { type ConsoleAccount, PATIENCE } from '../../src/console/console-browser'
import { consoleUnderTest } from '../../src/console/console-under-test'

const tried = consoleUnderTest()
const LONG = { timeout: 120_000 }

/** Resolves to the machines that the service lists for an account. */
async function machinesFor({ email, password }: ConsoleAccount) {
  const { base_url: baseUrl } = tried.service.credentials
  const login = await fetch(`${baseUrl}/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  })
  const { token } = (await login.json()) as { readonly token: string }
  return createAdmin({ baseUrl, session: token }).machines.list()
}

it('the machines are for operators: others have no link, and no page at the address', LONG, async (context) => {
  const window = await tried.signedIn(context)
  const { page } = window
  expect(await page.getByRole('link', { name: 'Machines' }).count()).toBe(0)
  await window.go('/machines')
  await page.getByText('Page not found').waitFor(PATIENCE)
  expect(window.wrong).toEqual([])
  await window.close()
})

it('an operator cordons, drains and uncordons a machine', LONG, async (context) => {
  const account = await tried.operator(context)
  const window = await tried.signedIn(context, { account })
  const { page } = window
  await page.getByRole('link', { name: 'Machines' }).click(PATIENCE)
  const row = page.getByRole('table').getByRole('row').filter({ hasText: 'Ready' })
  await row.waitFor(PATIENCE)
  expect(await window.faults()).toEqual([])
  await row.getByRole('link').click()

  const dialog = page.getByRole('dialog')
  await page.getByRole('button', { name: 'Cordon', exact: true }).click(PATIENCE)
  await dialog.getByText('No other machine takes new servers in all regions').waitFor(PATIENCE)
  expect(await window.faults()).toEqual([])
  await dialog.getByRole('button', { name: 'Cordon machine' }).click()
  await page.getByText('The machine gets no new servers. Its servers continue.').waitFor(PATIENCE)
  expect(await machinesFor(account)).toMatchObject([{ status: 'cordoned' }])

  await page.getByRole('button', { name: 'Drain' }).click()
  await dialog.getByText('All matches run to their end.').waitFor(PATIENCE)
  await dialog.getByLabel('Deadline in minutes').fill('20000')
  await dialog.getByRole('button', { name: 'Drain machine' }).click()
  await dialog.getByText('must be a number from 0 to 10,080').waitFor(PATIENCE)
  expect(await window.faults()).toEqual([])
  await dialog.getByLabel('Deadline in minutes').fill('30')
  await dialog.getByText('are stopped: their matches end').waitFor(PATIENCE)
  await dialog.getByRole('button', { name: 'Drain machine' }).click()
  // The machine has no servers, so it is drained at once. The page follows without a reload.
  await page.getByText('Drained', { exact: true }).waitFor(PATIENCE)
  expect(await window.faults()).toEqual([])

  await page.getByRole('link', { name: 'Machines' }).first().click()
  await page.getByText('No machine takes new servers in all regions').waitFor(PATIENCE)
  await page.getByRole('table').getByRole('link').click()
  await page.getByRole('button', { name: 'Uncordon' }).click()
  await dialog.getByRole('button', { name: 'Uncordon machine' }).click()
  await page.getByText('Ready', { exact: true }).waitFor(PATIENCE)
  expect(await machinesFor(account)).toMatchObject([{ status: 'ready', drain_by: null }])
  expect(window.wrong).toEqual([])
  await window.close()
})
