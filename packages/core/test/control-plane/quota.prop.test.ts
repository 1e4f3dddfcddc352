import { expect, test } from 'vitest'
import { tally, withProject } from './service'

/** Number of rounds with 50 server starts at once; a full proof has 1,000. */
const ROUNDS = Number(process.env.MATCHYARD_PROVE ?? 100)
const AT_ONCE = 50

test(`of ${AT_ONCE} server starts at once on free exactly one is let in, ${ROUNDS} times over`, async () => {
  const { matchyard, storage, projectId, accountId, build, settle } = await withProject('free')
  await build(projectId)
  for (let round = 0; round < ROUNDS; round++) {
    const start = () => matchyard.servers.create({ projectId, versionTag: 'arena' })
    expect(await tally(Array.from({ length: AT_ONCE }, start))).toEqual({ ok: 1, PLAN_LIMIT_EXCEEDED: AT_ONCE - 1 })
    const [server, ...others] = await storage.servers.listLive()
    expect(others).toEqual([])
    expect(server).toMatchObject({ status: 'launching', ttlSeconds: 1_800 })
    await matchyard.servers.stop({ projectId, instanceId: server?.id ?? '' })
    await settle()
    expect(await storage.counters.read(`servers:${accountId}`)).toBe(0)
    expect(await storage.counters.read(`project-servers:${projectId}`)).toBe(0)
  }
})
