import { generateSync } from 'otplib/functional'
import { expect, it } from 'vitest'
import { PATIENCE } from '../../src/console/console-browser'
import { consoleUnderTest } from '../../src/console/console-under-test'

const tried = consoleUnderTest()
const LONG = { timeout: 180_000 }

it('sets up a second factor, asks for its code at the next sign-in, and removes it', LONG, async (context) => {
  const owner = await tried.signedIn(context)
  const { page } = owner
  const { base_url, email, password } = tried.service.credentials
  await owner.go('/settings/account')
  await page.getByRole('table', { name: 'Sessions' }).getByText('Current').waitFor(PATIENCE)
  await page.getByRole('button', { name: 'Set up a second factor' }).click(PATIENCE)
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Password').fill(password)
  await dialog.getByRole('button', { name: 'Go on' }).click()
  await dialog.getByRole('img', { name: 'QR code' }).waitFor(PATIENCE)
  const secret = (await dialog.locator('code').textContent(PATIENCE)) ?? ''
  expect(secret).toMatch(/^[A-Z2-7]{32}$/)
  expect(await owner.faults()).toEqual([])
  await dialog.getByLabel('Code', { exact: true }).fill(generateSync({ secret }))
  await dialog.getByRole('button', { name: 'Activate' }).click()
  await page.getByRole('heading', { name: 'Recovery codes' }).waitFor(PATIENCE)
  const codes = ((await page.getByRole('dialog').locator('code').textContent(PATIENCE)) ?? '').split(' ')
  expect(codes).toHaveLength(10)
  await page.getByRole('button', { name: 'I have stored the recovery codes' }).click()

  const other = await tried.open(context)
  await other.page.goto(`${base_url}/console/`)
  await other.page.getByLabel('E-mail').fill(email, PATIENCE)
  await other.page.getByLabel('Password').fill(password)
  await other.page.getByRole('button', { name: 'Sign in' }).click()
  await other.page.getByLabel('Code', { exact: true }).fill(codes[0] ?? '', PATIENCE)
  await other.page.getByRole('button', { name: 'Sign in' }).click()
  await other.page.getByRole('button', { name: 'Sign out' }).waitFor(PATIENCE)
  await other.close()

  await page.getByRole('button', { name: 'Remove the second factor' }).click(PATIENCE)
  await page
    .getByRole('dialog')
    .getByLabel('Code', { exact: true })
    .fill(codes[1] ?? '')
  await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click()
  await page.getByRole('button', { name: 'Set up a second factor' }).waitFor(PATIENCE)
  expect(await owner.faults()).toEqual([])
  await owner.close()
})
