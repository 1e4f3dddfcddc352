import { readFile } from 'node:fs/promises'
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
      ...{ 'api-key': server_key, 'content-type': 'application/json' },
      ...(player === undefined ? {} : { 'x-player-id': player }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  if (!answer.ok) throw new Error(await answer.text())
  return (await answer.json()) as Record<string, string>
}

it(
  'finds players, ids, invite codes and names by the keyboard, and opens a pasted id at once',
  LONG,
  async (context) => {
    const window = await tried.signedIn(context)
    const { page } = window
    await call('POST', '/queues', {
      ...{ queue_id: 'search_me', name: 'Duel of Search' },
      matchmaking: { teams: 2, players_per_team: 1 },
    })
    const lobby = await call('POST', '/lobbies', { queue_id: 'search_me', is_private: true }, 'ann-searched')
    const field = page.getByRole('combobox', { name: 'Search' })

    // A part of a name.
    await page.keyboard.press('Control+k')
    await field.waitFor(PATIENCE)
    await page.keyboard.type('of sear')
    await page.getByRole('option', { name: /Duel of Search/ }).waitFor(PATIENCE)
    expect(await window.faults()).toEqual([])
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Duel of Search' }).waitFor(PATIENCE)

    // A player, chosen with the arrow keys.
    await page.keyboard.press('/')
    await field.waitFor(PATIENCE)
    await page.keyboard.type('ann-searched')
    await page.getByRole('option', { name: /Player, in 1 lobby/ }).waitFor(PATIENCE)
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/players\/ann-searched$/)

    // An invite code, in lower case.
    await page.keyboard.press('Control+k')
    await field.waitFor(PATIENCE)
    await page.keyboard.type(String(lobby.invite_code).toLowerCase())
    await page.getByRole('option', { name: /Lobby, code/ }).click(PATIENCE)
    await page.waitForURL(new RegExp(`/lobbies/${lobby.lobby_id}$`))

    // A complete id needs no key more. An id that the service does not know opens nothing.
    await page.keyboard.press('Control+k')
    await field.waitFor(PATIENCE)
    await field.fill(`${String(lobby.lobby_id).slice(0, -4)}0000`)
    await page.getByText('Nothing found.').waitFor(PATIENCE)
    await page.keyboard.press('Escape')
    await field.waitFor({ state: 'detached' })
    await page.goto(`${page.url().split('#')[0]}#/now`)
    await page.keyboard.press('Control+k')
    await field.waitFor(PATIENCE)
    await field.fill(String(lobby.lobby_id))
    await page.waitForURL(new RegExp(`/lobbies/${lobby.lobby_id}$`))
    await field.waitFor({ state: 'detached' })
    expect(window.wrong).toEqual([])
    await window.close()
  },
)

it(
  'shows charts of a real service, and keeps their time in the address and in the named zone',
  LONG,
  async (context) => {
    const window = await tried.signedIn(context)
    const { page } = window
    await call('POST', '/queues', { queue_id: 'charted', name: 'Charted' })
    const lobby = await call('POST', '/lobbies', { queue_id: 'charted' }, 'bob')
    await call('POST', `/lobbies/${lobby.lobby_id}/start`, {}, 'bob')
    const at = page.url().split('#')[0]
    await page.goto(`${at}#/queues/charted?show=charts`)
    const charts = page.getByRole('region', { name: 'Charts' })
    await charts.getByRole('region', { name: 'Matches' }).waitFor(PATIENCE)
    await charts.getByRole('tab', { name: '7 d' }).click()
    await page.waitForURL(/range=7d/)
    await charts.getByRole('button', { name: 'Earlier' }).click()
    await page.waitForURL(/until=20/)
    await charts.getByText('No match was made in this time.').first().waitFor(PATIENCE)
    const shared = page.url()
    await charts.getByRole('button', { name: 'Now' }).click()
    await page.waitForURL((url) => !url.href.includes('until='))
    await page.goto(shared)
    await charts.getByText(/^until /).waitFor(PATIENCE)
    await page.getByRole('button', { name: /^Times in UTC/ }).click()
    await charts.getByText(/^until .* UTC$/).waitFor(PATIENCE)
    await page.goto(`${at}#/usage`)
    await page.getByRole('region', { name: 'Cost over time' }).getByText('Average per hour').waitFor(PATIENCE)
    expect(await window.faults()).toEqual([])
    expect(window.wrong).toEqual([])
    await window.close()
  },
)

it('shows the spread of a rule, and the distribution of a number that no rule reads', LONG, async (context) => {
  const window = await tried.signedIn(context)
  const { page } = window
  const rules = [{ type: 'difference', field: 'mmr', max_difference: 500 }]
  await call('POST', '/queues', { queue_id: 'spread', name: 'Spread', matchmaking: { rules } })
  for (const [player, level] of [
    ['eve', 3],
    ['fay', 30],
    ['gus', 7],
  ] as const) {
    const state = { mmr: player === 'gus' ? 9_000 : 1_500 + level, level }
    const lobby = await call('POST', '/lobbies', { queue_id: 'spread', state }, player)
    await call('POST', `/lobbies/${lobby.lobby_id}/queue`, undefined, player)
  }
  await page.goto(`${page.url().split('#')[0]}#/queues/spread?show=charts&range=1h`)
  const distribution = page.getByRole('region', { name: 'Players by a number of their state' })
  const level = distribution.getByRole('region', { name: 'Distribution of level' })
  await expect
    .poll(async () => {
      await distribution.getByRole('button', { name: 'Load' }).click()
      await level.waitFor(PATIENCE)
      return level.getByRole('row').allInnerTexts()
    }, PATIENCE)
    .toEqual([
      expect.stringContaining('level'),
      expect.stringMatching(/^Waiting now\s+1\s+7\s+7/),
      expect.stringMatching(/^Matched\s+2\s+3\s+30/),
    ])
  await page.reload()
  await page.getByRole('region', { name: 'Spread of mmr' }).waitFor(PATIENCE)
  expect(await window.faults()).toEqual([])
  expect(window.wrong).toEqual([])
  await window.close()
})

it('shows a change in the audit log with its author, and keeps the filters in the address', LONG, async (context) => {
  const window = await tried.signedIn(context)
  const { page } = window
  await call('POST', '/queues', { queue_id: 'audited', name: 'Audited' })
  await call('PATCH', '/queues/audited', { name: '=1+1' })
  await page.goto(`${page.url().split('#')[0]}#/settings/audit?kind=queue&of=audited`)
  const log = page.getByRole('region', { name: 'Audit log' })
  await log.getByText('Changed queue').waitFor(PATIENCE)
  await log.getByText('=1+1').waitFor(PATIENCE)
  await log.getByRole('combobox', { name: 'Time range' }).selectOption('24h')
  await page.waitForURL(/range=24h/)
  await log.getByText('2 changes').waitFor(PATIENCE)
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    log.getByRole('button', { name: 'Download CSV' }).click(),
  ])
  const text = await readFile(await file.path(), 'utf8')
  expect(text).toContain(",name,Audited,'=1+1\r\n")
  await log.getByRole('combobox', { name: 'Kind of object' }).selectOption('webhook')
  await log.getByRole('heading', { name: /^No change/ }).waitFor(PATIENCE)
  expect(await window.faults()).toEqual([])
  expect(window.wrong).toEqual([])
  await window.close()
})
