import { type ChildProcess, fork, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '@matchyard/server/testing'
import type { Call, Order, Report } from './sender'

/**
 * `npm run bench -- overload`: measures a real `matchyard serve` on SQLite under twice the load that it can serve
 * (needs a build). A second process sends each call at its due time and does not wait for answers. The capacity is
 * found by increasing the load. The data lies in `TMPDIR`; a slow disk is measured elsewhere.
 */
const COMMAND = fileURLToPath(new URL('../../../server/dist/cli.js', import.meta.url))
const SENDER = fileURLToPath(new URL('./sender.ts', import.meta.url))
const SECONDS = Number(process.env.BENCH_SECONDS ?? 10)
/** The service's capacity in calls per second, if it is known, to compare two runs; 0 measures it. */
const KNOWN = Number(process.env.BENCH_CAN ?? 0)
/** Milliseconds at the start of an overload in which no call is refused yet. */
const FIRST_MS = 1_500

const [SERVER_CORE, SENDER_CORE] = ['0', '1']
const wrap = spawnSync('taskset', ['--version']).status === 0 ? ['taskset', '-c', SERVER_CORE] : []

const directory = mkdtempSync(join(tmpdir(), 'matchyard-overload-'))
const port = await freePort()
const environment = {
  ...process.env,
  MATCHYARD_SECRET: '4mQ8vT1zKc7wXn2bHs9dRf5gYj3pLe6aUo0i',
  MATCHYARD_DATA: directory,
  HOST: '127.0.0.1',
  PORT: String(port),
  LOG_LEVEL: 'warn',
  ORCHESTRATOR: 'none',
  RATE_LIMIT_CREATIONS: '0',
}

function account(): { client_key: string; server_key: string } {
  const args = [COMMAND, 'accounts', 'create', '--email', 'owner@studio.example', '--json']
  const { stdout, stderr } = spawnSync(process.execPath, args, { env: environment, encoding: 'utf8' })
  if (stdout === '') throw new Error(stderr)
  return JSON.parse(stdout)
}

async function startServe(): Promise<ChildProcess> {
  const [command = '', ...args] = [...wrap, process.execPath, COMMAND, 'serve']
  const child = spawn(command, args, { env: environment, stdio: ['ignore', 'ignore', 'inherit'] })
  for (;;) {
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined)
    if (answer?.status === 200) return child
    if (child.exitCode !== null) throw new Error('the service ended')
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

const { client_key: key, server_key } = account()
const server = await startServe()
const sender = fork(SENDER, { execArgv: ['--conditions=@matchyard/source', '--import', 'tsx'] })
if (wrap.length > 0) spawnSync('taskset', ['-acp', SENDER_CORE, String(sender.pid)])
await fetch(`http://127.0.0.1:${port}/v1/queues`, {
  method: 'POST',
  headers: { 'api-key': server_key, 'content-type': 'application/json' },
  body: JSON.stringify({ queue_id: 'duel', name: 'Duel' }),
})

async function send(perSecond: number, seconds: number): Promise<Report> {
  sender.send({ port, key, perSecond: Math.round(perSecond), seconds } satisfies Order)
  const [report] = (await once(sender, 'message')) as [Report]
  return report
}

const p = (share: number, calls: readonly Call[]) =>
  calls.map(([, took]) => took).sort((a, b) => a - b)[Math.floor(calls.length * share)] ?? Number.NaN
const isTaken = ([, , status]: Call) => status === 200 || status === 201
const isRefused = ([, , status]: Call) => status === 503
const rate = (calls: readonly Call[], seconds: number) => calls.filter(isTaken).length / seconds

/**
 * Raises the load by a quarter until the service falls behind, and returns the calls per second that it served then.
 * This is a little below its capacity, because refusals cost time too.
 */
async function capacity(): Promise<number> {
  await send(500, 4)
  let perSecond = 1_000
  for (;;) {
    const { calls } = await send(perSecond, 4)
    const late = p(0.5, calls.filter(isTaken))
    const done = rate(calls, 4)
    if (done < 0.97 * perSecond || late > 50) return done
    perSecond *= 1.25
  }
}

function line(what: string, perSecond: number, { calls, senderLate }: Report): void {
  const settled = calls.filter(([due]) => due >= FIRST_MS)
  const taken = settled.filter(isTaken)
  const refused = settled.filter(isRefused)
  const other = settled.length - taken.length - refused.length
  const unanswered = Math.round(perSecond) * SECONDS - calls.length
  const figures = [
    what.padEnd(6),
    `${Math.round(perSecond)}/s asked`,
    `${Math.round((taken.length * 1_000) / (SECONDS * 1_000 - FIRST_MS))}/s taken`,
    `p50 ${p(0.5, taken).toFixed(0)} ms, p99 ${p(0.99, taken).toFixed(0)} ms`,
    `${((100 * refused.length) / settled.length).toFixed(1)} % refused${refused.length > 0 ? `, p99 ${p(0.99, refused).toFixed(0)} ms` : ''}`,
    `${other} otherwise, ${unanswered} unanswered`,
    `sender p99 ${senderLate.toFixed(0)} ms late`,
  ]
  console.log(figures.join(' · '))
}

try {
  const can = KNOWN > 0 ? KNOWN : await capacity()
  console.log(
    `it can do ${Math.round(can)} calls a second (half make a lobby, half read one); ${SECONDS} s each, the first ${FIRST_MS} ms left out`,
  )
  const quiet = await send(0.5 * can, SECONDS)
  line('0.5 x', 0.5 * can, quiet)
  const normal = await send(can, SECONDS)
  line('1 x', can, normal)
  const over = await send(2 * can, SECONDS)
  line('2 x', 2 * can, over)
  const after = await send(0.5 * can, SECONDS)
  const usual = Math.max(2 * p(0.99, quiet.calls.filter(isTaken)), 10)
  const bad = after.calls.filter((call) => !isTaken(call) || call[1] > usual)
  // The sender waits 1.5 s between two orders, so a refusal here means that the overload lasted longer than that.
  const lastRefusal = Math.max(0, ...after.calls.filter((call) => !isTaken(call)).map(([due]) => due))
  line('after', 0.5 * can, after)
  console.log(
    `after it: the last refusal ${lastRefusal.toFixed(0)} ms after the load was half again; ${bad.length} of ${after.calls.length} calls slower than ${usual.toFixed(0)} ms or refused`,
  )
  const settled = ({ calls }: Report) => calls.filter((call) => isTaken(call) && call[0] >= FIRST_MS)
  console.log(`p99 at 2 x beside 1 x: ${(p(0.99, settled(over)) / p(0.99, settled(normal))).toFixed(2)}`)
} finally {
  sender.kill()
  server.kill()
  await once(server, 'exit')
  await rm(directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
}
