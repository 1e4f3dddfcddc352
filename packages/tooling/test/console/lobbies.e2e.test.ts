import { expect, it } from 'vitest'
import { PATIENCE } from '../../src/console/console-browser'
import { consoleUnderTest } from '../../src/console/console-under-test'

const tried = consoleUnderTest()
const LONG = { timeout: 180_000 }

const HOSTILE = '<img src=x onerror="document.title=1">'
/** Contains U+202E, which reverses the direction of all text after it unless the page isolates it. */
const TURNED = 'left\u202Eright'

interface Made {
  readonly lobby_id: string
  readonly invite_code: string
}

async function call<T>(player: string, path: string, body: unknown = {}, method = 'POST'): Promise<T> {
  const { base_url, client_key } = tried.service.credentials
  const headers = {
    'api-key': client_key,
    'x-player-id': encodeURIComponent(player),
    'content-type': 'application/json',
  }
  const answer = await fetch(base_url + path, {
    method,
    headers,
    ...(method === 'POST' ? { body: JSON.stringify(body) } : {}),
  })
  expect(answer.status, await answer.clone().text()).toBeLessThan(300)
  return (await answer.json()) as T
}

const make = (player: string, mmr: number, name?: string) =>
  call<Made>(player, '/v1/lobbies', {
    queue_id: 'demo',
    state: { mmr, note: HOSTILE, long: 'y'.repeat(15_000) },
    ...(name === undefined ? {} : { name }),
    settings: { [HOSTILE]: TURNED },
  })

it('finds a lobby by player and code, and says why it waits; what players chose is text', LONG, async (context) => {
  const window = await tried.signedIn(context)
  const { page } = window
  const mine = await make('ann', 1_000, HOSTILE)
  const other = await make('bob', 2_000, 'left')
  for (const [player, { lobby_id }] of [
    ['ann', mine],
    ['bob', other],
  ] as const)
    await call(player, `/v1/lobbies/${lobby_id}/queue`)

  await window.go('/lobbies')
  const row = page.getByRole('row').filter({ hasText: HOSTILE })
  await row.waitFor(PATIENCE)
  await row.getByText('Searching').waitFor(PATIENCE)
  const search = page.getByRole('searchbox')
  for (const words of ['bob', other.invite_code.toLowerCase(), other.lobby_id]) {
    await search.fill(words)
    await row.waitFor({ ...PATIENCE, state: 'detached' })
    await page.getByRole('row').filter({ hasText: 'Searching' }).waitFor(PATIENCE)
  }
  await search.fill('ann')
  await row.getByRole('link').first().click(PATIENCE)
  await page.getByText('0 parties pass, 1 fails').waitFor(PATIENCE)
  await page.getByText('Created by').waitFor(PATIENCE)
  await page
    .getByRole('list', { name: /History/ })
    .getByText('Searching')
    .waitFor(PATIENCE)

  // Nothing of the lobby's name became an element, ran as script, or made the page wider.
  expect(await page.locator('img').count()).toBe(0)
  expect(await page.title()).toContain('Lobbies')
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
  expect(await window.faults()).toEqual([])

  // The page shows a change made elsewhere without a reload, and the lobby's deletion as well.
  await call('ann', `/v1/lobbies/${mine.lobby_id}/queue`, undefined, 'DELETE')
  await page.getByText('Waiting again: cancelled by the host').waitFor(PATIENCE)
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete lobby' }).click()
  await page.getByRole('heading', { level: 1, name: 'Lobbies' }).waitFor(PATIENCE)
  await search.fill('')
  await row.waitFor({ ...PATIENCE, state: 'detached' })
  expect(window.wrong).toEqual([])
  await window.close()
})

it(
  'takes a lobby out of its queue, and removes a player, each asked for and in the audit log',
  LONG,
  async (context) => {
    const window = await tried.signedIn(context)
    const { page } = window
    const host = 'host-1'
    const { lobby_id } = await make(host, 9_000)
    await call(host, `/v1/lobbies/${lobby_id}/queue`)
    await window.go(`/lobbies/${lobby_id}`)
    const dialog = page.getByRole('dialog')
    await page.getByRole('button', { name: 'Remove from the queue' }).click(PATIENCE)
    await dialog.getByRole('button', { name: 'Remove from the queue' }).click(PATIENCE)
    await page.getByText('The lobby no longer searches.').waitFor(PATIENCE)
    await call('guest', `/v1/lobbies/${lobby_id}/join`, { state: { mmr: 1_000 } })
    const guest = page.locator('.members li').filter({ hasText: 'guest' })
    await guest.getByRole('button', { name: 'Remove' }).click(PATIENCE)
    expect(await window.faults()).toEqual([])
    await dialog.getByRole('button', { name: 'Remove player' }).click(PATIENCE)
    await guest.waitFor({ ...PATIENCE, state: 'detached' })
    const { base_url, server_key } = tried.service.credentials
    const answer = await fetch(`${base_url}/v1/audit?limit=20`, { headers: { 'api-key': server_key } })
    const { data } = (await answer.json()) as { readonly data: readonly { readonly operation: string }[] }
    const told = data.map(({ operation }) => operation)
    expect(told).toEqual(expect.arrayContaining(['lobbies.cancelMatchmaking', 'lobbies.removePlayer']))
    expect(window.wrong).toEqual([])
    await window.close()
  },
)

it('lifts the ban of a player, and tells both in what happened', LONG, async (context) => {
  const window = await tried.signedIn(context)
  const { page } = window
  const { lobby_id } = await make('cleo', 1_000)
  for (const player_id of ['eve', 'dan']) await call('cleo', `/v1/lobbies/${lobby_id}/bans`, { player_id })
  await window.go(`/lobbies/${lobby_id}`)
  const banned = page.getByRole('region', { name: 'Banned players' })
  await banned.getByRole('link', { name: 'dan' }).waitFor(PATIENCE)
  await page.getByText('Banned: dan').waitFor(PATIENCE)
  expect(await window.faults()).toEqual([])
  await banned.getByRole('listitem').filter({ hasText: 'dan' }).getByRole('button', { name: 'Lift the ban' }).click()
  await page.getByText('Ban lifted: dan').waitFor(PATIENCE)
  await banned.getByRole('link', { name: 'dan' }).waitFor({ ...PATIENCE, state: 'detached' })
  expect(window.wrong).toEqual([])
  await window.close()
})

it('goes on by itself when the service comes back', LONG, async (context) => {
  const window = await tried.signedIn(context)
  const { page } = window
  await window.go('/lobbies')
  await page.getByText('Live', { exact: true }).first().waitFor(PATIENCE)
  await tried.restart()
  const { lobby_id } = await make('dan', 1_500)
  await page.getByRole('searchbox').fill(lobby_id)
  await page.getByRole('row').filter({ hasText: 'dan' }).waitFor(PATIENCE)
  await page.getByText('Live', { exact: true }).first().waitFor(PATIENCE)
  await window.close()
})
