import { expect, it } from 'vitest'
import { consoleUnderTest } from '../src/console/console-under-test'

const PATIENCE = { timeout: 120_000 }

const tried = consoleUnderTest()

it('the reference of `dev` makes a lobby by two clicks, and asks nobody but the service', {
  timeout: 240_000,
}, async (context) => {
  const window = await tried.open(context, { width: 1_440, height: 900 })
  const { page } = window
  const { base_url, client_key } = tried.service.credentials
  const elsewhere: string[] = []
  page.on('request', (request) => {
    const url = request.url()
    if (!url.startsWith(base_url) && !/^(data|blob):/.test(url)) elsewhere.push(url)
  })
  await page.goto(`${base_url}/reference#tag/lobbies/POST/v1/lobbies`, { waitUntil: 'commit' })
  // The page shows the samples of the document and no generated ones.
  await page.getByText('$MATCHYARD_CLIENT_KEY').first().waitFor(PATIENCE)
  await page
    .getByRole('button', { name: /Test Request.*post \/v1\/lobbies\)?$/i })
    .first()
    .click(PATIENCE)
  const answered = page.waitForResponse((response) => response.url() === `${base_url}/v1/lobbies`, PATIENCE)
  await page.getByRole('button', { name: /^Send/ }).first().click(PATIENCE)
  const response = await answered
  expect(response.status()).toBe(201)
  const shown = await response.json()
  expect(shown).toMatchObject({ queue_id: 'demo', host_player_id: 'ann' })
  await page.getByText('201 Created').first().waitFor(PATIENCE)
  // Only the host reads the list of bans, so the call is made as the host.
  const asHost = { 'api-key': client_key, 'x-player-id': 'ann' }
  const read = await fetch(`${base_url}/v1/lobbies/${shown.lobby_id}`, { headers: asHost })
  expect(await read.json()).toEqual(shown)
  expect(elsewhere).toEqual([])
  expect(window.wrong).toEqual([])
})
