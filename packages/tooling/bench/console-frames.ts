// `npm run bench -- console`: measures the browser's frames while the console's table shows 10,000 lobbies and gets 200
// changes per second.
import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ConsoleBrowser, PATIENCE } from '../src/console/console-browser'
import { ServiceProcess } from '../src/service-process'
import { PipelinedCalls } from './pipelined-calls'

const LOBBIES = Number(process.argv[2] ?? 10_000)
const CHANGES_PER_SECOND = 200
const SECONDS = 10
const AT_ONCE = 16

const directory = mkdtempSync(join(tmpdir(), 'matchyard-console-'))
const service = await ServiceProcess.start(directory, 0)
const { base_url: url, client_key: key } = service.credentials
const browser = await ConsoleBrowser.start()
if (browser === undefined) throw new Error('there is no browser: install the package chromium')

const call = async <T>(method: string, path: string, player: string, body: unknown): Promise<T> => {
  const headers = { 'api-key': key, 'x-player-id': player, 'content-type': 'application/json' }
  return (await (await fetch(url + path, { method, headers, body: JSON.stringify(body) })).json()) as T
}

const ids: string[] = []
const make = async (first: number) => {
  for (let index = first; index < LOBBIES; index += AT_ONCE) {
    const body = { queue_id: 'demo', name: `lobby ${index}`, state: { mmr: index } }
    ids[index] = (await call<{ readonly lobby_id: string }>('POST', '/v1/lobbies', `p${index}`, body)).lobby_id
  }
}
await Promise.all(Array.from({ length: AT_ONCE }, (_, first) => make(first)))

const window = await browser.open(service.credentials)
await window.signIn()
const began = performance.now()
await window.go('/lobbies')
await window.page.getByRole('tab', { name: `All ${LOBBIES.toLocaleString('en-US')}` }).waitFor(PATIENCE)
process.stdout.write(
  `${LOBBIES} lobbies are read and shown after ${((performance.now() - began) / 1_000).toFixed(1)} s\n`,
)

// The page, the service and this process share few CPU cores, so a change must cost its sender little: one write on an
// open connection.
const calls = await PipelinedCalls.open(url)
let changes = 0
const from = performance.now()
const timer = setInterval(() => {
  // The clock decides how many changes are due, because timers are late on a busy machine.
  for (const due = ((performance.now() - from) * CHANGES_PER_SECOND) / 1_000; changes < due; changes++) {
    // A third of the changes goes to the newest lobbies, which are the visible rows.
    const index = changes % 3 === 0 ? LOBBIES - 1 - (changes % 15) : Math.floor(Math.random() * LOBBIES)
    const headers = { 'api-key': key, 'x-player-id': `p${index}` }
    const path = `/v1/lobbies/${ids[index]}/players/p${index}`
    calls.send({ method: 'PATCH', path, headers, body: { state: { mmr: changes } } }, index)
  }
}, 20)
const frames = (await window.page.evaluate(`new Promise((done) => {
  const times = []
  const end = performance.now() + ${SECONDS * 1_000}
  const next = (now) => { times.push(now); if (now < end) requestAnimationFrame(next); else done(times) }
  requestAnimationFrame(next)
})`)) as readonly number[]
clearInterval(timer)
const lasted = (performance.now() - from) / 1_000
const done = calls.sent - calls.open - calls.refused
const took = ((frames.at(-1) ?? 0) - (frames[0] ?? 0)) / 1_000
const gaps = frames
  .slice(1)
  .map((time, index) => time - (frames[index] ?? 0))
  .sort((a, b) => a - b)
const gap = (share: number) => (gaps[Math.floor(gaps.length * share)] ?? 0).toFixed(0)
process.stdout.write(
  `${(frames.length / took).toFixed(1)} frames a second, ${(done / lasted).toFixed(0)} changes a second for ${lasted.toFixed(1)} s, ${calls.refused} refused; ` +
    `between frames p50 ${gap(0.5)} ms, p99 ${gap(0.99)} ms, at most ${gap(0.9999)} ms\n`,
)
calls.close()
await browser.close()
await service.end('SIGINT')
await rm(directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
