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
  // The browser's history leads to no address with the code in it.
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
