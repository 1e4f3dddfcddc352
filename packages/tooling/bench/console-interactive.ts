// `npm run bench -- console`: measures how long after opening its address the console can be used, and how much of this
// time the page itself computes.
import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { ConsoleBrowser, PATIENCE } from '../src/console/console-browser'
import { ServiceProcess } from '../src/service-process'

const ROUNDS = 7
const TARGET_MS = 1_000

const directory = mkdtempSync(join(tmpdir(), 'matchyard-console-'))
const service = await ServiceProcess.start(directory, 0)
const browser = await ConsoleBrowser.start()
if (browser === undefined) throw new Error('there is no browser: install the package chromium')

interface Load {
  /** Milliseconds from the navigation until the awaited element is shown and can be clicked. */
  readonly ms: number
  /**
   * Milliseconds that the page's main thread worked in this time. On a busy machine only this part is due to the page.
   */
  readonly workMs: number
}

/** Reloads the page, as with the browser's reload button, and waits until it can be used. */
async function load(page: Page, until: () => Promise<void>): Promise<Load> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Performance.enable')
  const began = performance.now()
  await page.reload({ waitUntil: 'commit' })
  await until()
  const ms = performance.now() - began
  const { metrics } = await devtools.send('Performance.getMetrics')
  await devtools.detach()
  return { ms, workMs: 1_000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) }
}

const middle = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0

function tell(what: string, loads: readonly Load[]): void {
  const ms = loads.map((one) => one.ms)
  process.stdout.write(
    `${what}: ${middle(ms).toFixed(0)} ms (${Math.min(...ms).toFixed(0)} to ${Math.max(...ms).toFixed(0)}, ${loads.length} times), ` +
      `of which the page worked ${middle(loads.map(({ workMs }) => workMs)).toFixed(0)} ms; wanted: ${TARGET_MS} ms\n`,
  )
}

const stranger = await browser.open(service.credentials)
await stranger.page.goto(`${service.credentials.base_url}/console/`)
const signIns: Load[] = []
for (let round = 0; round < ROUNDS; round++)
  signIns.push(await load(stranger.page, () => stranger.page.getByLabel('E-mail').click({ trial: true, ...PATIENCE })))
tell('the form to sign in can be used after', signIns)
await stranger.close()

const known = await browser.open(service.credentials)
await known.signIn()
const rooms: Load[] = []
for (let round = 0; round < ROUNDS; round++) {
  const play = known.page.getByRole('link', { name: 'Playground' }).first()
  rooms.push(await load(known.page, () => play.click({ trial: true, ...PATIENCE })))
}
tell('who is signed in can use the first screen after', rooms)
const figures: Load[] = []
for (let round = 0; round < ROUNDS; round++)
  figures.push(await load(known.page, () => known.page.getByText('Players searching').first().waitFor(PATIENCE)))
tell('its figures are there after', figures)
await browser.close()
await service.end('SIGINT')
await rm(directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
