import { setTimeout as wait } from 'node:timers/promises'
import { type Embedded, many } from '../embedded'
import { dataOf } from '../on-data'
import { atMost, count, median, type Row } from '../row'
import { type Ours, startOurs } from '../served'

const QUEUE = 'long'
const TICKETS = Number(process.env.BENCH_TICKETS ?? 100_000)
const TARGET = 2
const ROUNDS = 3
const SECONDS = 10
/** Calls per second, sent without waiting for answers: reads of another lobby, and players who enter the queue. */
const [READS, ARRIVALS] = [40, 10]
const WARM_UP_READS = 300

/** No two tickets fit together, so all of them wait, and each tick examines all new tickets. */
const MATCHMAKING = {
  teams: 2,
  playersPerTeam: 1,
  useVersionFromState: true,
  rules: [{ type: 'difference' as const, field: 'mmr', maxDifference: 1 }, { type: 'region' as const }],
}
const stateOf = (n: number) => ({ mmr: n * 10, game_version: 'v1', regions: ['iad'] })

/**
 * Compares reads of another lobby in a service with a queue of 100,000 tickets and in the same service with an empty
 * queue.
 */
export async function longQueue(): Promise<Row[]> {
  const [without, beside]: [Waits[], Waits[]] = [[], []]
  for (let round = 0; round < ROUNDS; round++) {
    without.push(await readWhile(await startOurs({}, await dataOf((embedded) => entered(embedded, 0)))))
    beside.push(await readWhile(await startOurs({}, await dataOf((embedded) => entered(embedded, TICKETS)))))
  }
  const ratio = median(beside.map((own, round) => own.p99 / (without[round]?.p99 ?? Number.NaN)))
  const said = (all: readonly Waits[]) =>
    `p99 ${median(all.map(({ p99 }) => p99)).toFixed(1)} ms, p50 ${median(all.map(({ p50 }) => p50)).toFixed(1)}`
  return [
    {
      what: `GET of another lobby while ${count(TICKETS)} tickets are read and ticked, ${ARRIVALS} more a second`,
      ours: said(beside),
      beside: `without: ${said(without)}`,
      ratio: ratio.toFixed(2),
      target: `≤ ${TARGET} x`,
      met: atMost(TARGET, ratio),
    },
  ]
}

async function entered({ matchyard, projectId }: Embedded, tickets: number): Promise<void> {
  const serverSettings = { source: 'external' as const }
  await matchyard.queues.create({ projectId, queueId: QUEUE, name: 'Long', matchmaking: MATCHMAKING, serverSettings })
  await many(tickets, async (n) => {
    const playerId = `p${n}`
    const { id: lobbyId } = await matchyard.lobbies.create({ projectId, queueId: QUEUE, playerId, state: stateOf(n) })
    await matchyard.lobbies.enqueue({ projectId, lobbyId, playerId })
  })
}

interface Waits {
  readonly p50: number
  readonly p99: number
}

async function readWhile(ours: Ours): Promise<Waits> {
  await using service = ours
  const { world } = service
  const client = world.client(world.credentials.server_key)
  const post = (path: string, player: string, body?: object) =>
    client.call<{ lobby_id: string }>({ method: 'POST', path, player, ...(body && { body }) })
  const made = await post('/v1/lobbies', 'reader', { queue_id: QUEUE })
  const path = `/v1/lobbies/${made.body.lobby_id}`
  const ms: number[] = []
  const read = async () => {
    const askedAt = performance.now()
    const { status } = await client.call({ method: 'GET', path })
    if (status !== 200) throw new Error(`a reading was refused with ${status}`)
    ms.push(performance.now() - askedAt)
  }
  for (let n = 0; n < WARM_UP_READS; n++) await read()
  ms.length = 0
  let players = TICKETS
  const arrive = async () => {
    const n = players++
    const { body } = await post('/v1/lobbies', `p${n}`, { queue_id: QUEUE, state: stateOf(n) })
    await post(`/v1/lobbies/${body.lobby_id}/queue`, `p${n}`)
  }
  await Promise.all([everyNow(READS, read), everyNow(ARRIVALS, arrive)])
  client.close()
  const sorted = ms.sort((a, b) => a - b)
  const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? Number.NaN
  return { p50: at(0.5), p99: at(0.99) }
}

/** Starts `perSecond` pieces of work per second without waiting for earlier ones. */
async function everyNow(perSecond: number, work: () => Promise<void>): Promise<void> {
  const startedAt = performance.now()
  const all: Promise<void>[] = []
  while (all.length < perSecond * SECONDS) {
    const due = ((performance.now() - startedAt) / 1_000) * perSecond
    while (all.length < Math.min(due, perSecond * SECONDS)) all.push(work())
    await wait(1)
  }
  await Promise.all(all)
}
