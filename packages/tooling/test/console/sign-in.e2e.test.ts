import { expect, it } from 'vitest'
import { PATIENCE } from '../../src/console/console-browser'
import { consoleUnderTest } from '../../src/console/console-under-test'
import { eventually } from '../../src/eventually'

const tried = consoleUnderTest()
const LONG = { timeout: 120_000 }

it('signs in, follows the project, survives a reload and signs out', LONG, async (context) => {
  const window = await tried.signedIn(context)
  const { page } = window
  // The first page polls its figures. A page that follows the feed shows "Live".
  await page.getByRole('link', { name: 'Lobbies', exact: true }).click(PATIENCE)
  await page.getByText('Live', { exact: true }).first().waitFor(PATIENCE)
  await page.reload()
  await page.getByRole('heading', { level: 1, name: 'Lobbies' }).waitFor(PATIENCE)
  expect(await window.faults()).toEqual([])
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: 'Sign in to Matchyard' }).waitFor(PATIENCE)
  await page.reload()
  await page.getByRole('heading', { name: 'Sign in to Matchyard' }).waitFor(PATIENCE)
  expect(await window.faults()).toEqual([])
  expect(window.wrong).toEqual([])
  await window.close()
})

it('says in the service’s words why nobody is signed in', LONG, async (context) => {
  const window = await tried.open(context)
  const { page } = window
  await page.goto(`${tried.service.credentials.base_url}/console/`)
  await page.getByLabel('E-mail').fill('nobody@studio.example', PATIENCE)
  await page.getByLabel('Password').fill('not the password')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByText('wrong', { exact: false }).first().waitFor(PATIENCE)
  await window.close()
})

it('has keys of its own, which end with the page', LONG, async (context) => {
  const window = await tried.signedIn(context)
  const { base_url, email, password, project_id } = tried.service.credentials
  const login = await fetch(`${base_url}/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  })
  const { token } = (await login.json()) as { readonly token: string }
  const live = async () => {
    const answer = await fetch(`${base_url}/v1/projects/${project_id}/keys?limit=100`, {
      headers: { authorization: `Bearer ${token}` },
    })
    const { data } = (await answer.json()) as {
      readonly data: readonly { readonly name: string; readonly revoked_at: string | null }[]
    }
    return data.filter(({ name, revoked_at }) => name.startsWith('Console') && revoked_at === null).length
  }
  const before = await live()
  expect(before).toBeGreaterThanOrEqual(2)
  await window.page.goto('about:blank')
  await eventually(live, (count) => count === before - 2)
  await window.close()
})
