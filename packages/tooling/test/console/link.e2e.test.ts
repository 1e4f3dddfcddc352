import { expect, it } from 'vitest'
import { PATIENCE } from '../../src/console/console-browser'
import { consoleUnderTest } from '../../src/console/console-under-test'

const tried = consoleUnderTest()
const LONG = { timeout: 120_000 }

it('the link that dev prints signs in, once, and leaves nothing of its code in the address', LONG, async (context) => {
  const window = await tried.open(context)
  const { consoleLink: link } = tried.service
  expect(link).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/console\/#code=[\w-]{43}$/)
  const asked: string[] = []
  window.page.on('request', (request) => asked.push(request.url()))
  await window.page.goto(link)
  await window.page.getByRole('heading', { level: 1, name: 'Now' }).waitFor(PATIENCE)
  const code = link.slice(link.indexOf('=') + 1)
  expect(window.page.url()).not.toContain(code)
  expect(asked.filter((url) => url.includes(code))).toEqual([])
  // No entry of the browser's history contains the code.
  await window.page.reload()
  await window.page.getByRole('heading', { level: 1, name: 'Now' }).waitFor(PATIENCE)
  expect(window.wrong).toEqual([])

  const other = await tried.open(context)
  await other.page.goto(link)
  await other.page.getByRole('heading', { name: 'Sign in to Matchyard' }).waitFor(PATIENCE)
  await other.page.getByText('this code was used', { exact: false }).first().waitFor(PATIENCE)
  await window.close()
  await other.close()
})

it('a link that is opened in another tab shows the same project there, without a password', LONG, async (context) => {
  const window = await tried.signedIn(context)
  const { page } = window
  await page.getByRole('link', { name: 'Builds', exact: true }).first().click(PATIENCE)
  await page.getByRole('heading', { level: 1, name: 'Builds' }).waitFor(PATIENCE)
  const link = page.url()
  await page.getByRole('button', { name: 'Demo', exact: true }).click(PATIENCE)
  await page.getByLabel('New project').fill('Another one')
  await page.getByRole('button', { name: 'Create', exact: true }).click()
  await page.getByRole('button', { name: 'Another one', exact: true }).waitFor(PATIENCE)
  const other = await page.context().newPage()
  await other.goto(link)
  await other.getByRole('heading', { level: 1, name: 'Builds' }).waitFor(PATIENCE)
  await other.getByRole('button', { name: 'Demo', exact: true }).waitFor(PATIENCE)
  expect(other.url()).toBe(link)
  await page.getByRole('button', { name: 'Sign out' }).first().click()
  await other.getByText('You signed out in another tab.').waitFor(PATIENCE)
  expect(window.wrong).toEqual([])
  await window.close()
})

it('the service serves the page under its policy, and / leads there', LONG, async (context) => {
  const window = await tried.open(context)
  const { base_url } = tried.service.credentials
  const answer = await window.page.goto(base_url)
  expect(new URL(window.page.url()).pathname).toBe('/console/')
  expect(answer?.headers()['content-security-policy']).toContain("default-src 'none'")
  await window.page.getByRole('heading', { name: 'Sign in to Matchyard' }).waitFor(PATIENCE)
  expect(window.wrong).toEqual([])
  await window.close()
})
