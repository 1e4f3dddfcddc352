import { type AdminClient, createAdmin } from '@matchyard/client/admin'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { type ConsoleWindow, PATIENCE } from '../../src/console/console-browser'
import { consoleUnderTest } from '../../src/console/console-under-test'
import { eventually } from '../../src/eventually'

const tried = consoleUnderTest()
const LONG = { timeout: 180_000 }

const adminOf = () => {
  const { base_url: baseUrl, server_key: serverKey } = tried.service.credentials
  return createAdmin({ baseUrl, serverKey })
}

/** Lets players search in a queue, and resolves to the id of their match once the match runs. */
async function matched(admin: AdminClient, queueId: string, players: readonly string[]): Promise<string> {
  const { base_url: baseUrl, client_key: clientKey } = tried.service.credentials
  for (const player of players) {
    const call = async (path: string, body: object) => {
      const headers = { 'api-key': clientKey, 'x-player-id': player, 'content-type': 'application/json' }
      const answer = await fetch(`${baseUrl}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
      return (await answer.json()) as { lobby_id: string }
    }
    const { lobby_id: id } = await call('/v1/lobbies', { queue_id: queueId })
    await call(`/v1/lobbies/${id}/queue`, {})
  }
  const running = async () => {
    for await (const match of admin.matches.list({ queueId, status: 'running' })) return match.match_id
    return ''
  }
  return eventually(running, (id) => id !== '')
}

/** Chooses a row of the leaderboard by its text. */
const standing = (page: Page, text: string) => page.getByRole('table').getByRole('row').filter({ hasText: text })

/** Fills the places of the teams into the open dialog. */
async function places(page: Page, first: string, second: string): Promise<void> {
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Place of team_1').fill(first, PATIENCE)
  await dialog.getByLabel('Place of team_2').fill(second)
}

/** Creates a rating, and makes a queue use it, by clicking only. */
async function ratedQueue({ page, go, faults }: Pick<ConsoleWindow, 'page' | 'go' | 'faults'>): Promise<void> {
  await go('/ratings')
  await page.getByRole('button', { name: 'New rating' }).click(PATIENCE)
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Ladder <b>')
  await dialog.getByLabel('Placement matches').fill('-1')
  await dialog.getByRole('button', { name: 'Create rating' }).click()
  const beside = dialog.locator('.field', { hasText: 'Placement matches' }).locator('.hint.wrong')
  await beside.waitFor(PATIENCE)
  expect(await faults()).toEqual([])
  await dialog.getByLabel('Placement matches').fill('1')
  await dialog.getByRole('button', { name: 'Create rating' }).click()
  await page.getByRole('heading', { level: 1, name: 'Ladder <b>' }).waitFor(PATIENCE)

  await go('/queues/rated')
  await page.getByLabel('Rating of the queue').selectOption('ladder_b', PATIENCE)
  await page.getByLabel('Rating field').fill('skill')
  await page.getByRole('button', { name: 'Apply…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Apply' }).click()
  await page.getByRole('dialog').waitFor({ ...PATIENCE, state: 'detached' })
}

it('a result that is recorded and amended by clicking moves the ratings of a queue', LONG, async (context) => {
  const window = await tried.signedIn(context)
  const { page } = window
  const admin = adminOf()
  await admin.queues.create({ queue_id: 'rated', name: 'Rated duel', matchmaking: { teams: 2, players_per_team: 1 } })
  await ratedQueue({ page, go: (path) => window.go(path), faults: () => window.faults() })
  expect(await admin.queues.get('rated')).toMatchObject({ rating: 'ladder_b', rating_field: 'skill' })

  const matchId = await matched(admin, 'rated', ['ann', 'bob'])
  await window.go(`/matches/${matchId}`)
  const card = page.getByRole('region', { name: 'Result' })
  await card.getByText('50 %').first().waitFor(PATIENCE)
  await card.getByRole('button', { name: 'Record the result' }).click()
  const dialog = page.getByRole('dialog')
  await places(page, '0', '2')
  await dialog.getByRole('button', { name: 'Record the result' }).click()
  await dialog.getByRole('alert').getByText('team_1, place: must be').waitFor(PATIENCE)
  expect(await window.faults()).toEqual([])
  await places(page, '1', '2')
  await dialog.getByLabel('Score of ann').fill('21')
  await dialog.getByLabel('End the match').check()
  await dialog.getByRole('button', { name: 'Record the result' }).click()
  await card.getByText('recorded by a backend').waitFor(PATIENCE)
  expect(await admin.matches.get(matchId)).toMatchObject({
    status: 'ended',
    result: { players: [{ player_id: 'ann', score: 21 }], amended_at: null },
  })

  // The result is recorded again from elsewhere, with figures of a player. The amendment keeps the figures.
  const teams = (first: number) => [1, 2].map((team) => ({ name: `team_${team}`, rank: team === first ? 1 : 2 }))
  const players = [{ player_id: 'ann', score: 21, stats: { kills: 4 } }]
  await admin.matches.result(matchId, { teams: teams(1), players, amend: true })
  await card.getByText('kills: 4').waitFor(PATIENCE)
  await card.getByRole('button', { name: 'Amend' }).click()
  await places(page, '2', '1')
  await dialog.getByRole('button', { name: 'Amend the result' }).click()
  await page.getByText('The result is amended.').waitFor(PATIENCE)
  const { result, teams: rosters } = await admin.matches.get(matchId)
  expect(result).toMatchObject({ teams: [{ rank: 2 }, { rank: 1 }], players: [{ stats: { kills: 4 } }] })
  const winner = rosters[1]?.players[0]?.player_id ?? ''
  expect(['ann', 'bob']).toContain(winner)

  await window.go('/ratings/ladder_b')
  await standing(page, winner).filter({ hasText: '1' }).waitFor(PATIENCE)
  expect(await page.getByRole('row').nth(1).textContent()).toContain(winner)
  expect(await window.faults()).toEqual([])
  await standing(page, winner).getByRole('link').click()
  await page.getByRole('table', { name: 'Ratings' }).getByText('Ladder <b>').waitFor(PATIENCE)
  await page.getByRole('table', { name: 'Matches' }).getByText('Won').waitFor(PATIENCE)
  expect(await window.faults()).toEqual([])
  await page.getByRole('table', { name: 'Ratings' }).getByRole('link').click()
  await page.getByRole('region', { name: 'Around the player' }).getByText(winner).waitFor(PATIENCE)
  expect(window.wrong).toEqual([])
  await window.close()
})

it(
  'a rating in use is not deleted; its model is fixed; a season begins an empty leaderboard',
  LONG,
  async (context) => {
    const window = await tried.signedIn(context)
    const { page } = window
    const admin = adminOf()
    await admin.ratings.set('arena', { name: 'Arena', placement_matches: 1 })
    await admin.queues.create({
      ...{ queue_id: 'arena', name: 'Arena queue', rating: 'arena' },
      matchmaking: { teams: 2, players_per_team: 1 },
    })
    const matchId = await matched(admin, 'arena', ['cleo', 'dmitri'])
    const teams = [1, 2].map((rank) => ({ name: `team_${rank}`, rank }))
    await admin.matches.result(matchId, { teams, end: true })

    await window.go('/ratings/arena?show=settings')
    await page.locator('select:disabled').waitFor(PATIENCE)
    await page.getByText('Model and initial skill are fixed, because matches were counted.').waitFor(PATIENCE)
    await page.getByRole('button', { name: 'Delete rating' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Delete rating' }).click()
    await page.getByRole('alert').getByText('in use by: Arena queue').waitFor(PATIENCE)
    expect(await window.faults()).toEqual([])

    await page.getByRole('tab', { name: 'Calibration' }).click()
    await page.getByRole('heading', { name: 'Favourites win as often as predicted' }).waitFor(PATIENCE)
    await page.getByRole('tab', { name: 'Seasons' }).click()
    await page.getByRole('button', { name: 'Start a season' }).click()
    await dialog.getByLabel('Name').fill('Spring')
    await dialog.getByText('Example: 2,000 ± 100 becomes 1,750 ± 300').waitFor(PATIENCE)
    await dialog.getByLabel('Kept, in percent').fill('120')
    await dialog.getByRole('button', { name: 'Start the season' }).click()
    await dialog.getByText('must be a number from 0 to 100').waitFor(PATIENCE)
    await dialog.getByLabel('Kept, in percent').fill('80')
    await dialog.getByRole('button', { name: 'Start the season' }).click()
    await page.getByText('The season Spring has started.').waitFor(PATIENCE)
    await page.getByRole('tab', { name: 'Leaderboard' }).click()
    await page.getByText('No player yet').waitFor(PATIENCE)
    await page.getByLabel('Season').selectOption('0')
    await standing(page, 'cleo').waitFor(PATIENCE)
    expect(await window.faults()).toEqual([])

    await admin.queues.update('arena', { rating: null })
    await page.getByRole('tab', { name: 'Settings' }).click()
    await page.getByText('No queue uses this rating.').waitFor(PATIENCE)
    await page.getByRole('button', { name: 'Delete rating' }).click()
    await dialog.getByRole('button', { name: 'Delete rating' }).click()
    await page.getByRole('heading', { level: 1, name: 'Ratings' }).waitFor(PATIENCE)
    await expect(admin.ratings.get('arena')).rejects.toMatchObject({ code: 'RATING_NOT_FOUND' })
    expect(window.wrong).toEqual([])
    await window.close()
  },
)
