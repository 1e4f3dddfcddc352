// `npm run bench -- designer`: the console's designer plays 20,000 arrivals in a real browser with two sets of rules.
// Its duration and its figures are checked.
import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createAdmin } from '@matchyard/client/admin'
import {
  generatedArrivals,
  play,
  type RecordedArrivalJson,
  replayedArrivals,
  scenarioOfQueue,
  spanOf,
} from '@matchyard/matchmaking/simulation'
import { ConsoleBrowser, PATIENCE } from '../src/console/console-browser'
import { ServiceProcess } from '../src/service-process'

const ARRIVALS = Number(process.argv[2] ?? 20_000)
const TIMES = Number(process.argv[3] ?? 3)
const HOUR_SECONDS = 3_600

const mmr = { normal: { mean: 1_500, deviation: 300 }, min: 0 }
const regions = { some: { iad: 5, fra: 4, nrt: 2, syd: 1 }, count: { 1: 2, 2: 1 } }
const difference = (max_difference: number) => ({ type: 'difference', field: 'mmr', max_difference }) as const

/** Queues whose first rule is edited: its greatest difference changes from `now` to `edited`. */
const QUEUES = {
  '1v1': { sizes: { 1: 1 }, now: 50, edited: 100, size: 1, others: [] },
  '5v5': { sizes: { 1: 6, 2: 3, 3: 1 }, now: 200, edited: 400, size: 5, others: [{ type: 'region' as const }] },
}

const directory = mkdtempSync(join(tmpdir(), 'matchyard-designer-'))
const service = await ServiceProcess.start(directory, 0)
const browser = await ConsoleBrowser.start()
if (browser === undefined) throw new Error('there is no browser: install the package chromium')
const { base_url: baseUrl, server_key: serverKey } = service.credentials
const admin = createAdmin({ baseUrl, serverKey })
const window = await browser.open(service.credentials)
const { page } = window
await window.signIn()

for (const [name, { sizes, now, edited, size, others }] of Object.entries(QUEUES)) {
  const rulesOf = (max: number) => ({ teams: 2, players_per_team: size, rules: [difference(max), ...others] })
  const id = `bench_${name}`
  await admin.queues.create({ queue_id: id, name, max_players: 2 * size, matchmaking: rulesOf(now) })
  const drawn = { rate: ARRIVALS / HOUR_SECONDS, parties: ARRIVALS, party_sizes: sizes, fields: { mmr, regions } }
  const arrivals: RecordedArrivalJson[] = [...generatedArrivals(drawn, 1)].map((ticket) => ({
    arrival_id: ticket.id.padStart(8, '0'),
    entered_at: new Date(ticket.enteredAt).toISOString(),
    outcome: 'matched',
    wait_seconds: 1,
    players: ticket.players.map(({ playerId, state }) => ({ player_id: playerId, state })),
  }))
  const body = JSON.stringify({ data: arrivals, next_cursor: null })
  await page.route(`**/v1/queues/${id}/arrivals*`, (route) => route.fulfill({ contentType: 'application/json', body }))
  await window.go('/queues')
  await page.getByRole('row').filter({ hasText: name }).getByRole('link').first().click(PATIENCE)
  const tickets = replayedArrivals(arrivals)
  const matched = async (max: number) => {
    const queue = { timeout: 300, matchmaking: rulesOf(max) }
    const { unmatchedShare } = await play(scenarioOfQueue('x', queue, spanOf(tickets)), tickets)
    return `${(100 * (1 - unmatchedShare)).toFixed(2)} %`
  }
  const told = [await matched(now), await matched(edited)]
  await page.getByLabel('max difference').fill(String(edited))
  const times: string[] = []
  for (let time = 0; time < TIMES; time++) {
    await page.getByRole('button', { name: 'Compare', exact: true }).last().click(PATIENCE)
    const note = page.getByText(/of the last hour, simulated in [0-9.]+ s/)
    await note.waitFor({ state: 'hidden', ...PATIENCE })
    await note.waitFor(PATIENCE)
    times.push(/simulated in ([0-9.]+ s)/.exec((await note.textContent()) ?? '')?.[1] ?? '?')
  }
  const row = page.getByRole('row', { name: 'Matched parties' })
  const shown = (await row.getByRole('cell').allTextContents()).slice(0, 2)
  const same = shown.join() === told.join()
  process.stdout.write(
    `${name}: ${times.join(', ')}; matched ${shown.join(' and ')}, ${same ? 'as' : 'NOT AS'} in Node\n`,
  )
}
await browser.close()
await service.end('SIGINT')
await rm(directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
