import { join } from 'node:path'
import type { GameServer } from '@matchyard/core'
import { type UsageSum, usageSumsOf } from '@matchyard/core/ports'
import { sqliteStorage } from '@matchyard/storage-sqlite'
import type { HarmFigure, HarmRow } from '../row'
import { HarmWorld } from '../world'

const ENDED = 100_000
const AT_ONCE = 500
const FOR_MS = 10_000
const ASK_EVERY_MS = 1_000
/** Milliseconds for which each server ran. The servers ran one after the other since the start of the month. */
const RAN_MS = 1_000

interface Owner {
  readonly accountId: string
  readonly projectId: string
}

/** A console reads each second the usage of a month with 100,000 ended servers. */
export const row: HarmRow = {
  name: 'usage-of-many',
  harm: '100,000 servers ended in a month; its usage is asked for each second',
  async run(): Promise<readonly HarmFigure[]> {
    const seeded = await HarmWorld.start()
    await seeded.end('SIGTERM')
    await fill(seeded)
    const world = await HarmWorld.start({ directory: seeded.directory })
    try {
      const asked: number[] = []
      const ask = await asker(world)
      const quiet = await world.watch(() => each(FOR_MS, ASK_EVERY_MS, async () => {}))
      const attacked = await world.watch(() => each(FOR_MS, ASK_EVERY_MS, async () => void asked.push(await ask())))
      asked.sort((a, b) => a - b)
      return [
        { what: 'livez, longest', unit: 'ms', quiet: quiet.livezMs.max, attacked: attacked.livezMs.max },
        { what: 'usage, median', unit: 'ms', quiet: 0, attacked: asked[Math.floor(asked.length / 2)] ?? 0 },
        { what: 'usage, longest', unit: 'ms', quiet: 0, attacked: asked.at(-1) ?? 0 },
        { what: 'memory', unit: 'MB', quiet: quiet.memoryMb.peak, attacked: attacked.memoryMb.peak },
      ]
    } finally {
      await world.stop()
    }
  },
}

async function each(forMs: number, everyMs: number, work: () => Promise<void>): Promise<void> {
  const until = performance.now() + forMs
  while (performance.now() < until) {
    const next = performance.now() + everyMs
    await work()
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, next - performance.now())))
  }
}

/** Signs in, and returns a function that reads this month's usage and returns the milliseconds that it took. */
async function asker(world: HarmWorld): Promise<() => Promise<number>> {
  const { email, password } = world.credentials as unknown as { email: string; password: string }
  const headers = { 'content-type': 'application/json' }
  const login = await fetch(`${world.baseUrl}/v1/auth/login`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ email, password }),
  })
  const { token } = (await login.json()) as { token: string }
  return async () => {
    const startedAt = performance.now()
    const answer = await fetch(`${world.baseUrl}/v1/billing/usage`, { headers: { authorization: `Bearer ${token}` } })
    const { total_cost: cost } = (await answer.json()) as { total_cost: number }
    if (!(cost > 0)) throw new Error(`usage answered ${answer.status} with ${cost}`)
    return performance.now() - startedAt
  }
}

/** Writes rows of ended servers into the database of a stopped service, like those of real commits. */
async function fill(world: HarmWorld): Promise<void> {
  const { account_id: accountId, project_id: projectId } = world.credentials as unknown as Record<string, string>
  const owner = { accountId: accountId ?? '', projectId: projectId ?? '' }
  const storage = sqliteStorage({ path: join(world.directory, 'matchyard.db') })
  await storage.migrate()
  const account = await storage.get('account', owner.accountId)
  const month = new Date().toISOString().slice(0, 7)
  const begins = Date.parse(`${month}-01T00:00:00Z`)
  for (let first = 0; first < ENDED; first += AT_ONCE) {
    const servers = Array.from({ length: AT_ONCE }, (_, index) => ended(owner, first + index, begins))
    const usage = servers.flatMap((server): UsageSum[] =>
      usageSumsOf(server, { from: server.runningAt ?? 0, to: server.stoppedAt ?? 0 }, account?.planHistory ?? []),
    )
    await storage.commit({
      ...{ id: `fill-${first}`, at: begins, checks: [], counters: [], events: [], jobs: [], usage },
      writes: servers.map((put) => ({ kind: 'server', id: put.id, expected: 'absent', put })),
    })
  }
  await storage.close()
}

function ended(owner: Owner, number: number, begins: number): GameServer {
  const id = `srv_ended_${String(number).padStart(6, '0')}`
  const at = begins + number * RAN_MS
  return {
    ...{ ...owner, id, version: 1, name: id, status: 'stopped', region: 'iad', tier: '1x-1g', versionTag: 'arena' },
    ...{ buildId: null, buildVersion: null, portRequests: [], networkPorts: [], startupArgs: '', ttlSeconds: null },
    ...{ autoRestart: false, customData: {}, queueId: null, matchId: null, nodeId: null, attempt: 1 },
    ...{ attemptOpen: false, launchAttempts: 1, launchDeadlineAt: at, exitCode: 0, stopReason: 'exited with code 0' },
    ...{ restarts: 0, crashesInARow: 0, relaunchAt: null, launchedAt: at, createdAt: at, runningAt: at },
    ...{ stoppedAt: at + RAN_MS, expiresAt: null, updatedAt: at + RAN_MS },
  } satisfies GameServer
}
