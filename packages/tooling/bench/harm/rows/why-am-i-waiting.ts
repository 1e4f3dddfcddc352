import { join } from 'node:path'
import type { Match, QueueTicket } from '@matchyard/core'
import type { Commit } from '@matchyard/core/ports'
import { sqliteStorage } from '@matchyard/storage-sqlite'
import type { HarmFigure, HarmRow } from '../row'
import { HarmWorld } from '../world'

const WAITING = 100_000
const MATCHES = 10_000
const POLLERS = 50
const FOR_MS = 8_000
const QUEUE = 'crowded'
/** Milliseconds between two calls of an ordinary caller. */
const PAUSE_MS = 20

/**
 * 100,000 tickets wait in one queue. 50 clients ask without a pause for explanations, and a backend asks for the
 * queue's statistics.
 */
export const row: HarmRow = {
  name: 'why-am-i-waiting',
  harm: '100,000 tickets in one queue; 50 clients poll GET /v1/lobbies/{id}/queue and a backend its stats',
  async run(): Promise<readonly HarmFigure[]> {
    const world = await HarmWorld.start()
    try {
      const lobbyIds = await crowd(world)
      const quiet = await measured(world, async () => {})
      const asked: number[] = []
      const attacked = await measured(world, async (isOver) => {
        await Promise.all([
          ...lobbyIds.map((id) => poll(world, `/v1/lobbies/${id}/queue`, undefined, asked, isOver)),
          poll(world, `/v1/queues/${QUEUE}/stats`, world.credentials.server_key, asked, isOver),
        ])
      })
      const p99 = percentile(asked, 0.99)
      return [
        { what: 'livez, longest', unit: 'ms', quiet: quiet.livez, attacked: attacked.livez },
        { what: 'another caller, p99', unit: 'ms', quiet: quiet.other, attacked: attacked.other },
        { what: 'explanations and stats answered', unit: '/s', quiet: 0, attacked: (asked.length * 1_000) / FOR_MS },
        { what: 'one of these, p99', unit: 'ms', quiet: 0, attacked: p99 },
        { what: 'memory', unit: 'MB', quiet: quiet.memory, attacked: attacked.memory },
      ]
    } finally {
      await world.stop()
    }
  },
}

/** Creates the queue with real lobbies for the asking clients, and adds the other tickets directly to the database. */
async function crowd(world: HarmWorld): Promise<string[]> {
  const backend = world.client(world.credentials.server_key)
  const client = world.client()
  const rules = [
    { type: 'difference', field: 'mmr', max_difference: 0.1 },
    { type: 'equals', field: 'mode' },
  ]
  await backend.call({
    method: 'POST',
    path: '/v1/queues',
    body: { queue_id: QUEUE, name: QUEUE, timeout: 3_600, matchmaking: { rules } },
  })
  const lobbyIds: string[] = []
  for (let n = 0; n < POLLERS; n++) {
    const player = `asker_${n}`
    const state = { mmr: -1 - n, mode: 'ctf' }
    const created = await client.call<{ lobby_id: string }>({
      method: 'POST',
      path: '/v1/lobbies',
      player,
      body: { queue_id: QUEUE, state },
    })
    const id = created.body.lobby_id
    await client.call({ method: 'POST', path: `/v1/lobbies/${id}/queue`, player })
    lobbyIds.push(id)
  }
  client.close()
  backend.close()
  await fill(world)
  return lobbyIds
}

async function fill(world: HarmWorld): Promise<void> {
  const storage = sqliteStorage({ path: join(world.directory, 'matchyard.db'), beside: true, synchronous: 'normal' })
  const asker = await anyTicket(storage)
  const at = Date.now()
  const ofAll = async (count: number, write: (n: number) => Commit['writes'][number]) => {
    for (let from = 0; from < count; from += 1_000) {
      const writes = Array.from({ length: 1_000 }, (_, n) => write(from + n))
      const commit = { id: `fill_${writes[0]?.id}`, at, checks: [], writes, counters: [], events: [], jobs: [] }
      await storage.commit(commit)
    }
  }
  await ofAll(MATCHES, (n) => ({ kind: 'match', id: `mat_${n}`, expected: 'absent', put: matchOf(asker, n, at) }))
  await ofAll(WAITING, (n) => {
    const id = `tic_${n.toString(36).padStart(8, '0')}`
    const players = [{ playerId: `player_${n}`, state: { mmr: n, mode: n % 2 === 0 ? 'ctf' : 'arena' } }]
    return { kind: 'ticket', id, expected: 'absent', put: { ...asker, id, version: 1, lobbyId: `lob_${n}`, players } }
  })
  await storage.close()
  // Time for the director to read all tickets.
  await new Promise((resolve) => setTimeout(resolve, 15_000))
  const backend = world.client(world.credentials.server_key)
  const stats = await backend.call<{ lobbies_searching: number }>({ method: 'GET', path: `/v1/queues/${QUEUE}/stats` })
  if (stats.body.lobbies_searching < WAITING) throw new Error(`only ${stats.body.lobbies_searching} wait`)
  backend.close()
}

async function anyTicket(storage: ReturnType<typeof sqliteStorage>): Promise<QueueTicket> {
  const queue = (await storage.tickets.waiting()).find(({ queueKey }) => queueKey.endsWith(`/${QUEUE}`))
  const { changes } = await storage.tickets.changedSince(queue?.queueKey ?? '', undefined, 1)
  const ticket = changes[0]?.ticket
  if (ticket === undefined) throw new Error('nobody waits')
  return ticket
}

const matchOf = ({ projectId }: QueueTicket, n: number, at: number): Match => ({
  id: `mat_${n}`,
  version: 1,
  status: 'ended',
  projectId,
  accountId: 'acc',
  queueId: QUEUE,
  region: 'iad',
  gameVersion: null,
  lobbyIds: [],
  teams: ['one', 'two'].map((name) => ({
    name,
    players: [
      {
        playerId: `${name}_${n}`,
        lobbyId: `lob_${name}_${n}`,
        role: null,
        state: { mmr: n, mode: 'ctf' },
        leftAt: null,
      },
    ],
  })),
  settings: {},
  serverId: null,
  waits: ['one', 'two'].map((name) => ({ lobbyId: `lob_${name}_${n}`, players: 1, waitedMs: (n * 37) % 120_000 })),
  createdAt: at - (n % 3_000) * 1_000,
  endedAt: at,
})

async function measured(world: HarmWorld, attack: (isOver: () => boolean) => Promise<void>) {
  const others: number[] = []
  const { livezMs, memoryMb } = await world.watch(async () => {
    const endsAt = performance.now() + FOR_MS
    const isOver = () => performance.now() >= endsAt
    await Promise.all([poll(world, '/v1/lobbies?queue_id=demo', undefined, others, isOver, PAUSE_MS), attack(isOver)])
  })
  return { livez: livezMs.max, other: percentile(others, 0.99), memory: memoryMb.peak }
}

async function poll(
  world: HarmWorld,
  path: string,
  key: string | undefined,
  took: number[],
  isOver: () => boolean,
  pauseMs = 0,
): Promise<void> {
  const client = world.client(key)
  while (!isOver()) {
    const startedAt = performance.now()
    // An overloaded service closes connections and answers 408. Such a call counts with the time that it took.
    const status = await client.call({ method: 'GET', path }).then(
      (answer) => answer.status,
      () => 408,
    )
    if (status !== 200 && status !== 408) throw new Error(`${path} answered ${status}`)
    took.push(performance.now() - startedAt)
    if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs))
  }
  client.close()
}

function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0
}
