// `npm run bench -- console-cost [pages]`: the cost of five open consoles for a service with 500 changes per second.
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { ConsoleBrowser, type ConsoleWindow } from '../src/console/console-browser'
import type { DevCredentials } from '../src/service-process'
import { compared, PAIRS, sentenceOf } from './against/statistics'
import { HarmWorld } from './harm/world'
import { PipelinedCalls } from './pipelined-calls'
import { type RecordedView, ReplayedConsole, recordView } from './recorded-console'

/** Views of five operators, each with another page open. */
const VIEWS = ['/', '/lobbies', '/matches', '/servers', '/queues']
const CHANGES_PER_SECOND = 500
const LOBBIES = 500
const SETTLE_MS = 3_000
const MEASURE_MS = 8_000
const TICK_MS = 10
/** The most changes that may be without an answer at the same time. */
const MAX_OPEN = 64
/** Whether to use real pages instead of their recorded requests. Real pages need a CPU of their own. */
const WITH_PAGES = process.argv.includes('pages')

const world = await HarmWorld.start()
const credentials = world.credentials as DevCredentials
const { client_key, server_key } = credentials
const backend = world.client(server_key)
// All ratings differ, so no players are matched: a lobby in a match would refuse the changes.
const matchmaking = { rules: [{ type: 'difference', field: 'mmr', max_difference: 0 }] }
await backend.call({ method: 'POST', path: '/v1/queues', body: { queue_id: 'busy', name: 'Busy', matchmaking } })

const client = world.client(client_key)
const lobbies: string[] = []
const make = async (first: number) => {
  for (let index = first; index < LOBBIES; index += 16) {
    const body = { queue_id: 'busy', name: `lobby ${index}`, max_players: 4, state: { mmr: index } }
    const { body: made, status } = await client.call<{ readonly lobby_id: string }>({
      ...{ method: 'POST', path: '/v1/lobbies', player: `host${index}`, body },
    })
    if (status !== 201) throw new Error(`a lobby was refused with ${status}`)
    lobbies[index] = made.lobby_id
  }
}
await Promise.all(Array.from({ length: 16 }, (_, first) => make(first)))

/** Returns the milliseconds that the service's threads have spent on a CPU. */
function processorMs(): number {
  const tasks = `/proc/${world.process.pid}/task`
  const spent = readdirSync(tasks).map((id) => Number(readFileSync(`${tasks}/${id}/schedstat`, 'utf8').split(' ')[0]))
  return spent.reduce((sum, each) => sum + each, 0) / 1e6
}

const browser = await ConsoleBrowser.start()
if (browser === undefined) throw new Error('there is no browser: install the package chromium')
const recorded: RecordedView[] = WITH_PAGES
  ? []
  : await Promise.all(VIEWS.map((view) => recordView(browser, credentials, view)))
for (const { view, stream, first, again } of recorded) {
  const looks = again.map(({ path, everyMs }) => `${path} every ${(everyMs / 1_000).toFixed(1)} s`)
  console.log(`${view}: ${first.length} calls as it opens; ${stream ?? 'no feed'}; ${looks.join(', ')}`)
}
if (!WITH_PAGES) await browser.close()
const session = async () => {
  const { email, password } = credentials
  const body = { email, password }
  return (await client.call<{ readonly token: string }>({ method: 'POST', path: '/v1/auth/login', body })).body.token
}
const token = await session()

const calls = await PipelinedCalls.open(world.baseUrl)
/**
 * Sends one change. Of ten changes of a lobby six set a state, in two a guest joins and leaves, in two the host queues
 * the lobby and cancels.
 */
let turn = 0
function change(): void {
  const index = turn % LOBBIES
  const step = Math.floor(turn / LOBBIES) % 10
  turn++
  const as = (player: string) => ({ 'api-key': client_key, 'x-player-id': player })
  const lobby = `/v1/lobbies/${lobbies[index]}`
  const [host, guest] = [`host${index}`, `guest${index}`]
  if (step === 2)
    calls.send({ method: 'POST', path: `${lobby}/join`, headers: as(guest), body: { state: { mmr: turn } } }, index)
  else if (step === 4) calls.send({ method: 'POST', path: `${lobby}/leave`, headers: as(guest) }, index)
  else if (step === 6) calls.send({ method: 'POST', path: `${lobby}/queue`, headers: as(host) }, index)
  else if (step === 8) calls.send({ method: 'DELETE', path: `${lobby}/queue`, headers: as(host) }, index)
  else {
    const body = { state: { mmr: turn } }
    calls.send({ method: 'PATCH', path: `${lobby}/players/${host}`, headers: as(host), body }, index)
  }
}

const began = performance.now()
let due = 0
const driver = setInterval(() => {
  // The clock decides how many changes are due, because timers are late on a busy machine.
  const wanted = Math.floor(((performance.now() - began) * CHANGES_PER_SECOND) / 1_000)
  // A service that falls behind gets no further changes: this benchmark does not measure overload.
  for (; due < wanted; due++) if (calls.open < MAX_OPEN) change()
}, TICK_MS)

async function openConsoles(): Promise<() => Promise<void>> {
  if (!WITH_PAGES) {
    const open = recorded.map((view) => new ReplayedConsole(world.baseUrl, server_key, token, view))
    return async () => {
      const refused = open.reduce((sum, console) => sum + console.refused, 0)
      if (refused > 0) throw new Error(`${refused} calls of the consoles were refused`)
      for (const console of open) console.close()
    }
  }
  const windows: ConsoleWindow[] = []
  for (const view of VIEWS) {
    const window = await browser?.open(credentials)
    if (window === undefined) continue
    await window.signIn()
    await window.go(view)
    windows.push(window)
  }
  return async () => {
    for (const window of windows) await window.close()
  }
}

/** Returns the microseconds of the service's CPU time per change. */
async function measure(consoles: boolean): Promise<number> {
  const close = consoles ? await openConsoles() : async () => {}
  await wait(SETTLE_MS)
  const [before, changes, from] = [processorMs(), calls.sent - calls.open, performance.now()]
  await wait(MEASURE_MS)
  const done = calls.sent - calls.open - changes
  const spent = processorMs() - before
  const rate = (done * 1_000) / (performance.now() - from)
  if (rate < 0.9 * CHANGES_PER_SECOND) console.error(`only ${rate.toFixed(0)} changes a second`)
  await close()
  return (spent * 1_000) / done
}

await measure(false)
const ratios: number[] = []
const costs: { readonly without: number[]; readonly open: number[] } = { without: [], open: [] }
for (let pair = 0; pair < PAIRS; pair++) {
  const first = pair % 2 === 1
  const [a, b] = [await measure(first), await measure(!first)]
  const [without, open] = first ? [b, a] : [a, b]
  costs.without.push(without)
  costs.open.push(open)
  ratios.push(open / without)
  process.stderr.write('.')
}
process.stderr.write('\n')
clearInterval(driver)
const median = (figures: readonly number[]) => compared(figures).median.toFixed(0)
console.log(
  `${CHANGES_PER_SECOND} changes a second, ${calls.refused} of ${calls.sent} refused; processor time of the service for a change: ` +
    `${median(costs.without)} µs with no console, ${median(costs.open)} µs with ${VIEWS.length}`,
)
console.log(`with ÷ without, median of ${PAIRS} pairs and its interval of 98.8 %: ${sentenceOf(compared(ratios))}`)
calls.close()
backend.close()
client.close()
await browser.close()
await world.stop()
process.exit()
