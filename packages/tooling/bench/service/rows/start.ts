import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { request } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort } from '@matchyard/server/testing'
import { memoryStorage } from '@matchyard/storage-memory'
import { type Embedded, embed, openLobbies } from '../embedded'
import { dataOf } from '../on-data'
import { atMost, count, type Met, median, ROUNDS, type Row } from '../row'
import { CONTROL, startOurs, WRAP } from '../served'

const COMMAND = fileURLToPath(new URL('../../../../server/dist/cli.js', import.meta.url))
const NOTHING = fileURLToPath(new URL('../nothing.mjs', import.meta.url))
const QUEUE = 'idle'
const LOBBIES = Number(process.env.BENCH_LOBBIES ?? 100_000)
const DAY_SECONDS = 86_400
const [TIMES, MORE_MS, BYTES, IDLE_SHARE] = [8, 1_000, 1_000, 0.005]
const IDLE_SECONDS = 30
const LOOK_EVERY_MS = 5
/** Time for the work that a start leaves behind. */
const SETTLE_MS = 5_000

const idle = async (embedded: Embedded) => {
  const { matchyard, projectId } = embedded
  await matchyard.queues.create({ projectId, queueId: QUEUE, name: 'Idle', lobbyTtlSeconds: DAY_SECONDS })
  await openLobbies(embedded, QUEUE, LOBBIES)
}

interface Taken {
  readonly ms: number
  readonly cpuMs: number
}

/**
 * Measures the time from the start of the process to the first answer. An existing empty folder is compared with a
 * Node.js process that does nothing, and with a folder of 100,000 lobbies.
 */
export async function starting(): Promise<Row[]> {
  const [empty, full] = [await dataOf(), await dataOf(idle)]
  try {
    const [nothing, few, all]: [Taken[], Taken[], Taken[]] = [[], [], []]
    for (let round = 0; round < ROUNDS; round++) {
      nothing.push(await started([NOTHING]))
      few.push(await firstAnswer(empty))
      all.push(await firstAnswer(full))
    }
    const said = (taken: readonly Taken[]) =>
      `${count(median(taken.map(({ ms }) => ms)))} ms, ${count(median(taken.map(({ cpuMs }) => cpuMs)))} ms of CPU`
    const ratio = (figure: keyof Taken) =>
      median(few.map((own, round) => own[figure] / (nothing[round]?.[figure] ?? Number.NaN)))
    const more = (figure: keyof Taken) =>
      median(all.map((own, round) => own[figure] - (few[round]?.[figure] ?? Number.NaN)))
    return [
      {
        what: 'start of `dev` on existing data to the first answer',
        ours: said(few),
        beside: `\`node -e 0\` ${said(nothing)}`,
        ratio: `${ratio('ms').toFixed(1)} x (${ratio('cpuMs').toFixed(1)} x by CPU)`,
        target: `≤ ${TIMES} x`,
        met: atMost(TIMES, ratio('ms'), ratio('cpuMs')),
      },
      {
        what: `the same with ${count(LOBBIES)} lobbies`,
        ours: said(all),
        beside: `with none ${said(few)}`,
        ratio: `${count(more('ms'))} ms more (${count(more('cpuMs'))} ms of CPU)`,
        target: '≤ 1 s more',
        met: atMost(MORE_MS, more('ms'), more('cpuMs')),
      },
    ]
  } finally {
    for (const directory of [empty, full]) await rm(directory, { recursive: true, force: true })
  }
}

async function firstAnswer(directory: string): Promise<Taken> {
  const port = await freePort()
  return started([COMMAND, 'dev', '--port', String(port), '--data', directory], async () => {
    while (!(await answers(port))) await wait(LOOK_EVERY_MS)
  })
}

/**
 * Returns the milliseconds and the CPU time until `up` resolves, or until the program's own report when there is no
 * `up`.
 */
async function started(program: readonly string[], up?: () => Promise<void>): Promise<Taken> {
  const startedAt = performance.now()
  const [command = '', ...args] = [...WRAP, process.execPath, '--import', CONTROL, ...program]
  const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] })
  const told = once(child, 'message')
  await up?.()
  if (up !== undefined) child.send({ ask: 'cpu' })
  const [{ cpuMicros }] = (await told) as [{ cpuMicros: number }]
  const ms = performance.now() - startedAt
  const gone = once(child, 'exit')
  child.kill('SIGTERM')
  await gone
  return { ms, cpuMs: cpuMicros / 1_000 }
}

const answers = (port: number) =>
  new Promise<boolean>((resolve) => {
    const sent = request({ port, host: '127.0.0.1', path: '/livez', agent: false }, (answer) => {
      answer.resume()
      resolve(answer.statusCode === 200)
    })
    sent.once('error', () => resolve(false))
    sent.end()
  })

/** Measures the cost of 100,000 lobbies without activity: memory beyond their JSON, and CPU time. */
export async function idleLobbies(): Promise<Row[]> {
  const [empty, full] = [await dataOf(), await dataOf(idle)]
  await using none = await startOurs({}, empty)
  await using all = await startOurs({}, full)
  await wait(SETTLE_MS)
  const held = async ({ served }: typeof all) => {
    const { heapUsed, external } = await served.memory()
    return heapUsed + external
  }
  const kept = ((await held(all)) - (await held(none))) / LOBBIES
  const before = [await none.served.cpuMicros(), await all.served.cpuMicros()]
  await wait(IDLE_SECONDS * 1_000)
  const share = async ({ served }: typeof all, since = 0) =>
    ((await served.cpuMicros()) - since) / (IDLE_SECONDS * 1_000_000)
  const [bare, own] = [await share(none, before[0]), await share(all, before[1])]
  const percent = (value: number) => `${(value * 100).toFixed(2)} %`
  const bytes = (figure: number): { ours: string; met: Met } => ({
    ours: `${count(figure)} bytes`,
    met: atMost(BYTES, figure),
  })
  return [
    {
      what: `memory of an idle lobby, ${count(LOBBIES)} on SQLite`,
      beside: 'its JSON is on the disk',
      ratio: '–',
      target: '≤ 1 kB',
      ...bytes(kept),
    },
    {
      what: 'the same on memory, beyond its JSON',
      beside: 'its JSON',
      ratio: '–',
      target: '≤ 1 kB',
      ...bytes(await heldInMemory()),
    },
    {
      what: `processor time with ${count(LOBBIES)} idle lobbies, SQLite, ${IDLE_SECONDS} s`,
      ours: percent(own),
      beside: `with none ${percent(bare)}`,
      ratio: `${percent(own - bare)} more`,
      target: '0 %',
      met: atMost(IDLE_SHARE, own - bare),
    },
  ]
}

async function heldInMemory(): Promise<number> {
  const embedded = await embed(memoryStorage())
  const { matchyard, projectId } = embedded
  const held = () => {
    globalThis.gc?.()
    globalThis.gc?.()
    const { heapUsed, external } = process.memoryUsage()
    return heapUsed + external
  }
  const before = held()
  await idle(embedded)
  const each = (held() - before) / LOBBIES
  const { data } = await matchyard.lobbies.browse({ projectId, backend: true, limit: 1 })
  return each - Buffer.byteLength(JSON.stringify(data[0]))
}
