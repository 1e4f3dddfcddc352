import { createAdmin } from '@matchyard/client/admin'
import { play, replayedArrivals, scenarioOfQueue, spanOf } from '@matchyard/matchmaking/simulation'
import { expect, it } from 'vitest'
import { PATIENCE } from '../../src/console/console-browser'
import { consoleUnderTest } from '../../src/console/console-under-test'

const tried = consoleUnderTest()
const LONG = { timeout: 180_000 }

it('lets rules be edited, played on who came, applied and taken back, by clicking only', LONG, async (context) => {
  const window = await tried.signedIn(context)
  const { base_url: baseUrl, server_key: serverKey, client_key: clientKey } = tried.service.credentials
  const admin = createAdmin({ baseUrl, serverKey })
  const rule = (max_difference: number) => ({ type: 'difference', field: 'mmr', max_difference }) as const
  await admin.queues.create({
    queue_id: 'edited',
    name: 'Edited <img src=x onerror=alert(1)>',
    matchmaking: { rules: [rule(10)] },
  })
  const enter = async (player: string, mmr: number) => {
    const call = async (path: string, body: object) => {
      const headers = { 'api-key': clientKey, 'x-player-id': player, 'content-type': 'application/json' }
      const answer = await fetch(`${baseUrl}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
      return (await answer.json()) as { lobby_id: string }
    }
    const { lobby_id: id } = await call('/v1/lobbies', { queue_id: 'edited', state: { mmr } })
    await call(`/v1/lobbies/${id}/queue`, {})
  }
  for (let pair = 0; pair < 4; pair++) {
    await enter(`near_${pair}`, 1_000 * pair)
    await enter(`nearer_${pair}`, 1_000 * pair + 5)
  }
  for (const [index, mmr] of [20_000, 20_050].entries()) await enter(`far_${index}`, mmr)

  const { page } = window
  await window.go('/queues')
  await page.getByRole('row').filter({ hasText: 'edited' }).getByRole('link').click(PATIENCE)
  // What the engine would tell of the same: the page tells it to the digit.
  const arrivals = []
  for await (const arrival of admin.queues.arrivals('edited')) arrivals.push(arrival)
  expect(arrivals).toHaveLength(10)
  const tickets = replayedArrivals(arrivals)
  const outcome = (max: number) =>
    play(scenarioOfQueue('x', { timeout: 300, matchmaking: { rules: [rule(max)] } }, spanOf(tickets)), tickets)
  const told = [await outcome(10), await outcome(100)].map(
    ({ unmatchedShare }) => `${(100 * (1 - unmatchedShare)).toFixed(2)} %`,
  )

  await page.getByLabel('max difference').fill('100')
  await page.getByRole('button', { name: 'Compare' }).click(PATIENCE)
  const row = page.getByRole('row', { name: 'Parties that were matched' })
  await row.waitFor(PATIENCE)
  expect(await row.getByRole('cell').allTextContents()).toEqual(told)
  expect(told).toEqual(['80.00 %', '100.00 %'])
  expect(await window.faults()).toEqual([])

  // What the service refuses is told in its words, and nothing is changed.
  await page.getByLabel('max difference').fill('-1')
  await page.getByRole('button', { name: 'Compare' }).click()
  await page.getByText('must be a number of at least 0').first().waitFor(PATIENCE)
  await page.getByRole('button', { name: 'Apply…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Apply' }).click()
  await page.getByRole('dialog').getByRole('alert').waitFor(PATIENCE)
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  expect((await admin.queues.get('edited')).matchmaking?.rules).toMatchObject([rule(10)])

  await page.getByLabel('max difference').fill('100')
  await page.getByRole('button', { name: 'Apply…' }).click()
  await page.getByRole('dialog').getByText('matchmaking.rules[0].max_difference').waitFor(PATIENCE)
  await page.getByRole('dialog').getByRole('button', { name: 'Apply' }).click()
  await page.getByRole('dialog').waitFor({ ...PATIENCE, state: 'detached' })
  expect((await admin.queues.get('edited')).matchmaking?.rules).toMatchObject([rule(100)])

  await page.getByRole('tab', { name: 'History' }).click()
  await page.getByRole('button', { name: 'Go back to this' }).first().click(PATIENCE)
  await page.getByRole('dialog').getByRole('button', { name: 'Go back to version 1' }).click()
  await page.getByText('Version 3').waitFor(PATIENCE)
  expect((await admin.queues.get('edited')).matchmaking?.rules).toMatchObject([rule(10)])
  expect(await window.faults()).toEqual([])
  expect(window.wrong).toEqual([])
  await window.close()
})
