import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import autocannon, { type Options } from 'autocannon'
import { median } from './service'

// Create, join and read over HTTP beside a bare Hono echo of the same body, in the same run: medians of five.
const ROUNDS = 5
const SECONDS = Number(process.env.BENCH_SECONDS ?? 2)
const CONNECTIONS = 20

interface Started {
  readonly service: number
  readonly echo: number
  readonly clientKey: string
  readonly lobbyId: string
}

const child: ChildProcess = fork(new URL('calls-server.ts', import.meta.url), {
  execArgv: ['--conditions=@matchyard/source', '--import', 'tsx'],
})
const [{ service, echo, clientKey, lobbyId }] = (await once(child, 'message')) as [Started]

const headers = { 'api-key': clientKey, 'x-player-id': 'bob', 'content-type': 'application/json' }
const createBody = JSON.stringify({
  queue_id: 'duel',
  name: 'A lobby',
  settings: { map: 'desert', mode: 'ranked', rounds: 5 },
  state: { mmr: 1_500, regions: ['fra', 'ams'] },
})
const joinBody = JSON.stringify({ state: { mmr: 1_500, regions: ['fra', 'ams'] } })

async function perSecond(options: Options): Promise<number> {
  const result = await autocannon({ connections: CONNECTIONS, duration: SECONDS, ...options })
  if (result.non2xx + result.errors > 0) throw new Error(`${result.non2xx} refusals, ${result.errors} errors`)
  return result['2xx'] / result.duration
}

const echoOf = (body: string) => perSecond({ url: `http://127.0.0.1:${echo}/echo`, method: 'POST', headers, body })

async function join(): Promise<number> {
  child.send({ lobbies: true })
  const [{ joinable }] = (await once(child, 'message')) as [{ joinable: string[] }]
  let next = 0
  return perSecond({
    url: `http://127.0.0.1:${service}`,
    requests: [
      {
        method: 'POST',
        headers,
        body: joinBody,
        setupRequest: (request) => ({ ...request, path: `/v1/lobbies/${joinable[next++ % joinable.length]}/join` }),
      },
    ],
  })
}

const rows: Record<string, { ours: () => Promise<number>; bare: () => Promise<number> }> = {
  'create lobby': {
    ours: () => perSecond({ url: `http://127.0.0.1:${service}/v1/lobbies`, method: 'POST', headers, body: createBody }),
    bare: () => echoOf(createBody),
  },
  'join lobby': { ours: join, bare: () => echoOf(joinBody) },
  'read lobby': {
    ours: () => perSecond({ url: `http://127.0.0.1:${service}/v1/lobbies/${lobbyId}`, headers }),
    bare: () => perSecond({ url: `http://127.0.0.1:${echo}/echo`, headers }),
  },
}

console.log(
  `calls per second over HTTP, memory storage, ${CONNECTIONS} connections, medians of ${ROUNDS} x ${SECONDS} s`,
)
for (const [name, { ours, bare }] of Object.entries(rows)) {
  const [mine, theirs]: [number[], number[]] = [[], []]
  for (let round = 0; round < ROUNDS; round++) {
    theirs.push(await bare())
    mine.push(await ours())
  }
  const [a, b] = [median(mine), median(theirs)]
  console.log(
    `${name.padEnd(14)} ${a.toFixed(0).padStart(7)}/s   bare Hono ${b.toFixed(0).padStart(7)}/s   ratio ${(a / b).toFixed(2)}`,
  )
}
child.kill()
