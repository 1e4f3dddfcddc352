import { createMatchyard, type Matchyard } from '@matchyard/core'
import type { Storage } from '@matchyard/core/ports'
import { nodePlatform } from '@matchyard/node'
import { manualPayments } from '@matchyard/payments/manual'

const AT_ONCE = 256
const PASSWORD_HASH = 'nobody signs in here'

/** The service in this process, on a given storage, with a project without limits. */
export interface Embedded {
  readonly matchyard: Matchyard
  readonly projectId: string
}

export async function embed(storage: Storage): Promise<Embedded> {
  const platform = nodePlatform({ secret: 'a secret of at least 32 characters for a bench' })
  const matchyard = createMatchyard({ storage, ...platform, payments: manualPayments() })
  await matchyard.open()
  const project = await matchyard.projects.ensure({
    name: 'Bench',
    email: 'bench@example.com',
    passwordHash: PASSWORD_HASH,
  })
  return { matchyard, projectId: project.id }
}

/** Runs `count` pieces of work, several at a time, like real callers. */
export async function many(count: number, work: (n: number) => Promise<unknown>): Promise<void> {
  let next = 0
  const caller = async () => {
    while (next < count) await work(next++)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, caller))
}

const MAPS = ['desert', 'dust', 'harbor', 'ice', 'lake']
const REGIONS = ['iad', 'fra', 'nrt', 'syd'] as const

/** Creates lobbies in the status `waiting`, with settings and regions to filter by. */
export async function openLobbies({ matchyard, projectId }: Embedded, queueId: string, count: number): Promise<void> {
  await many(count, (n) =>
    matchyard.lobbies.create({
      projectId,
      playerId: `host${n}`,
      queueId,
      region: REGIONS[n % REGIONS.length],
      settings: { map: MAPS[n % MAPS.length] ?? '', rounds: n % 50 },
      state: { mmr: n % 3_000 },
    }),
  )
}

export interface Spent {
  readonly seconds: number
  readonly cpuMicros: number
}

export async function spend(work: () => Promise<unknown>): Promise<Spent> {
  const [startedAt, before] = [performance.now(), process.cpuUsage()]
  await work()
  const { user, system } = process.cpuUsage(before)
  return { seconds: (performance.now() - startedAt) / 1_000, cpuMicros: user + system }
}
