import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { createMatchyard, type Matchyard } from '@matchyard/core'
import { webhookBody } from '@matchyard/http'
import { nodePlatform } from '@matchyard/node'
import { memoryStorage } from '@matchyard/storage-memory'

// `npm run bench -- webhooks <seconds>`: the effect of endpoints that hang on other endpoints. Measures the time from
// an event to its arrival at the live endpoints of one project, while endpoints of other projects accept connections
// and never answer. Each row is a service of its own. All rows run in this process with the same events, so that other
// work on the machine affects all of them.
const SECONDS = Number(process.argv[2] ?? 40)
const DEAD = [0, 1, 12] as const
const LIVE = 2
/** Projects with hanging endpoints: two, because a project has at most ten webhooks. */
const OTHERS = 2
const EVENTS_PER_SECOND = 5

const began = new Map<string, { readonly at: number; readonly row: Row }>()
const receiver = createServer((request, answer) => {
  if (request.url?.startsWith('/dead') === true) return
  let text = ''
  request.on('data', (chunk: Buffer) => {
    text += chunk.toString()
  })
  request.on('end', () => {
    const { data } = JSON.parse(text) as { data: { lobby_id: string } }
    const from = began.get(data.lobby_id)
    from?.row.arrivals.push(performance.now() - from.at)
    answer.writeHead(204).end()
  })
})
receiver.listen(0, '127.0.0.1')
await once(receiver, 'listening')
const base = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`

const types = ['lobby.deleted'] as const

async function furnish({ projects, queues }: Matchyard, name: string): Promise<string> {
  const { id: projectId } = await projects.ensure({ name, email: `${name}@studio.example`, passwordHash: 'none' })
  await queues.create({ projectId, queueId: 'open', name: 'Open' })
  return projectId
}

interface Row {
  readonly dead: number
  readonly matchyard: Matchyard
  /** The project of the live endpoints, then the others. */
  readonly projects: readonly string[]
  /** Milliseconds from each event to its arrival. */
  readonly arrivals: number[]
}

async function open(dead: number): Promise<Row> {
  const platform = nodePlatform({ secret: 'a secret that is long enough for a bench' })
  const matchyard = createMatchyard({
    ...platform,
    logger: { debug() {}, info() {}, warn() {}, error: console.error },
    storage: memoryStorage(),
    webhookBody,
    addresses: { allowLoopback: true, httpsOnly: false },
  })
  await matchyard.start()
  const mine = await furnish(matchyard, 'live')
  const others = await Promise.all(Array.from({ length: OTHERS }, (_, index) => furnish(matchyard, `other${index}`)))
  const listen = (projectId: string, path: string) => matchyard.webhooks.create({ projectId, url: base + path, types })
  for (let n = 0; n < LIVE; n++) await listen(mine, `/live/${n}`)
  for (let n = 0; n < dead; n++) await listen(others[n % OTHERS] ?? mine, `/dead/${n}`)
  return { dead, matchyard, projects: [mine, ...others], arrivals: [] }
}

async function event(row: Row, projectId: string, playerId: string): Promise<void> {
  const { lobbies } = row.matchyard
  const { id: lobbyId } = await lobbies.create({ projectId, queueId: 'open', playerId })
  began.set(lobbyId, { at: performance.now(), row })
  await lobbies.delete({ projectId, lobbyId, backend: true })
}

const rows = await Promise.all(DEAD.map(open))
const end = performance.now() + SECONDS * 1_000
let events = 0
for (; performance.now() < end; events++) {
  for (const row of rows) for (const projectId of row.projects) await event(row, projectId, `player_${events}`)
  await wait(1_000 / EVENTS_PER_SECOND)
}
const late = performance.now() + 30_000
while (rows.some(({ arrivals }) => arrivals.length < LIVE * events) && performance.now() < late) await wait(20)

/** Events that have not arrived count as infinitely late. */
const figures = rows.map(({ dead, arrivals }) => {
  const missing = new Array<number>(LIVE * events - arrivals.length).fill(Number.POSITIVE_INFINITY)
  const sorted = [...arrivals.sort((a, b) => a - b), ...missing]
  const at = (part: number) => sorted[Math.floor(sorted.length * part)] ?? Number.NaN
  return { dead, median: at(0.5), p99: at(0.99), missing: missing.length }
})
const alone = figures[0]?.p99 ?? Number.NaN
for (const { dead, median, p99, missing } of figures) {
  const ratio = `${(p99 / alone).toFixed(2)} x (target 1.2)`
  console.log(
    `beside ${dead} that hang: median ${median.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, ${ratio}; ${missing} of ${LIVE * events} never came`,
  )
}
await Promise.all(rows.map(({ matchyard }) => matchyard.stop()))
receiver.closeAllConnections()
receiver.close()
