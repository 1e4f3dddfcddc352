import { expect, it } from 'vitest'
import { PATIENCE } from '../../src/console/console-browser'
import { consoleUnderTest } from '../../src/console/console-under-test'

const tried = consoleUnderTest()
const LONG = { timeout: 180_000 }

it('a colleague joins by a link, sees what the role may, and is out when removed', LONG, async (context) => {
  const owner = await tried.signedIn(context)
  const { page } = owner
  await owner.go('/settings/members')
  await page.getByRole('button', { name: 'Invite' }).click(PATIENCE)
  await page.getByRole('dialog').getByLabel('Role').selectOption('viewer')
  await page.getByRole('dialog').getByLabel('E-mail').fill('bo@studio.example')
  expect(await owner.faults()).toEqual([])
  await page.getByRole('button', { name: 'Make the link' }).click()
  const link = (await page.getByRole('dialog').locator('code').textContent(PATIENCE)) ?? ''
  expect(link).toMatch(/\/console\/#join=inv_live_\w{36}$/)
  await page.getByRole('button', { name: 'I have stored the link' }).click()
  await page.getByRole('table', { name: 'Open invitations' }).getByText('bo@studio.example').waitFor(PATIENCE)

  const guest = await tried.open(context)
  await guest.page.goto(link)
  await guest.page.getByRole('heading', { name: 'Join a project' }).waitFor(PATIENCE)
  expect(guest.page.url()).not.toContain('inv_live_')
  expect(await guest.faults()).toEqual([])
  await guest.page.getByLabel('Your name').fill('Bo')
  await guest.page.getByLabel('E-mail').fill('bo@studio.example')
  await guest.page.getByLabel('Password').fill('a long password of Bo')
  await guest.page.getByRole('button', { name: 'Make the account and join' }).click()
  await guest.page.getByRole('button', { name: 'Demo', exact: true }).waitFor(PATIENCE)
  expect(new URL(guest.page.url()).hash).toMatch(/^#\/~prj_/)

  // A viewer reads everything, and learns in a sentence why a change is refused.
  await guest.go('/queues')
  await guest.page.getByRole('table', { name: 'Queues' }).getByRole('link').first().click(PATIENCE)
  await guest.page.getByRole('tab', { name: 'Lobbies' }).click(PATIENCE)
  await guest.page.getByLabel('Name of the queue').fill('Renamed', PATIENCE)
  await guest.page.getByRole('button', { name: 'Apply…' }).click()
  await guest.page.getByRole('dialog').getByRole('button', { name: 'Apply' }).click()
  await guest.page.getByRole('alert').getByText('the role viewer does not allow this').waitFor(PATIENCE)
  await guest.page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  await guest.go('/playground')
  await guest.page.getByText('Your role does not play').waitFor(PATIENCE)
  await guest.go('/settings/members')
  await guest.page.getByText('Your role is Viewer.').waitFor(PATIENCE)
  expect(await guest.page.getByRole('button', { name: 'Invite' }).count()).toBe(0)

  await page.getByRole('combobox', { name: 'Role of Bo' }).selectOption('support', PATIENCE)
  await page.getByText('The role of Bo is Support.').waitFor(PATIENCE)
  const row = page.getByRole('table', { name: 'Members' }).getByRole('row').filter({ hasText: 'Bo' })
  await row.getByRole('button', { name: 'Remove' }).click(PATIENCE)
  await page.getByRole('button', { name: 'Remove the member' }).click()
  await guest.page.getByText('The keys of this page were revoked. Sign in again.').waitFor(PATIENCE)
  expect(owner.wrong).toEqual([])
  expect(guest.wrong).toEqual([])

  // The link works once.
  const late = await tried.open(context)
  await late.page.goto(link)
  await late.page.getByLabel('Your name').fill('Cleo', PATIENCE)
  await late.page.getByLabel('E-mail').fill('cleo@studio.example')
  await late.page.getByLabel('Password').fill('a long password of Cleo')
  await late.page.getByRole('button', { name: 'Make the account and join' }).click()
  await late.page.getByRole('alert').waitFor(PATIENCE)
  for (const window of [owner, guest, late]) await window.close()
})
