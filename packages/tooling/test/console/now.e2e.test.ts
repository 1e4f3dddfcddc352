import { expect, it } from 'vitest'
import { PATIENCE } from '../../src/console/console-browser'
import { consoleUnderTest } from '../../src/console/console-under-test'

const tried = consoleUnderTest()
const LONG = { timeout: 120_000 }

async function call(method: string, path: string, body?: object, player?: string) {
  const { base_url, server_key } = tried.service.credentials
  const answer = await fetch(`${base_url}/v1${path}`, {
    method,
    headers: {
      'api-key': server_key,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(player === undefined ? {} : { 'x-player-id': player }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  if (!answer.ok) throw new Error(await answer.text())
  return answer.status === 204 ? undefined : ((await answer.json()) as Record<string, string>)
}

it(
  'says what is wrong where one comes in, in the service’s sentences, and leads to the place that mends it',
  LONG,
  async (context) => {
    const window = await tried.signedIn(context)
    const { page } = window
    await call('POST', '/queues', { queue_id: 'typo', name: 'Typo', server_settings: { version_tag: 'arenaa' } })
    const lobby = await call('POST', '/lobbies', { queue_id: 'typo' }, 'ann')
    await call('POST', `/lobbies/${lobby?.lobby_id}/start`, {}, 'ann')
    const failed = page.getByText('typo: 1 launch failed in the last hour: no build named arenaa is ready').first()
    await failed.waitFor(PATIENCE)
    await page.getByRole('region', { name: 'typo' }).getByText('Players searching').waitFor(PATIENCE)
    await page.getByText('No build was ready').waitFor(PATIENCE)
    await page
      .getByRole('link', { name: /^Problems/ })
      .first()
      .click()
    await page.getByRole('heading', { level: 1, name: 'Problems' }).waitFor(PATIENCE)
    await page.getByText('Players cannot play').waitFor(PATIENCE)
    expect(await window.faults()).toEqual([])
    await page.getByRole('link', { name: 'Game server settings' }).first().click()
    expect(new URL(page.url()).hash).toMatch(/^#\/~prj_\w+\/queues\/typo\?show=server$/)
    await page.getByLabel('Build', { exact: true }).waitFor(PATIENCE)
    expect(window.wrong).toEqual([])
    await window.close()
  },
)

it(
  'finds a player by its id: where it is and how it came back; one whom nobody knows is nobody',
  LONG,
  async (context) => {
    const window = await tried.signedIn(context)
    const { page } = window
    await call('POST', '/queues', { queue_id: 'alone', name: 'Alone', matchmaking: { teams: 2, players_per_team: 1 } })
    const lobby = await call('POST', '/lobbies', { queue_id: 'alone', is_private: true }, '<b>zoe</b>')
    await call('POST', `/lobbies/${lobby?.lobby_id}/queue`, {}, '<b>zoe</b>')
    await call('DELETE', `/lobbies/${lobby?.lobby_id}/queue`, undefined, '<b>zoe</b>')
    await page.getByRole('link', { name: 'Players', exact: true }).first().click()
    await page.getByLabel('Player id').fill('<b>zoe</b>', PATIENCE)
    await page.getByRole('button', { name: 'Find' }).click()
    await page.getByRole('heading', { level: 1, name: '<b>zoe</b>' }).waitFor(PATIENCE)
    await page.getByRole('table', { name: 'Lobbies' }).getByText('alone').waitFor(PATIENCE)
    await page.getByRole('table', { name: 'Ends of searches and matches' }).getByText('cancelled').waitFor(PATIENCE)
    expect(await window.faults()).toEqual([])
    await page.getByLabel('Player id').fill('nobody')
    await page.getByRole('button', { name: 'Find' }).click()
    await page.getByText('Player not found').waitFor(PATIENCE)
    expect(await window.faults()).toEqual([])
    expect(window.wrong).toEqual([])
    await window.close()
  },
)
