import { expect, it } from 'vitest'
import { MAX_KEYS, MAX_PROJECTS, MAX_QUEUES } from '../../src/catalog/limits'
import { service } from './service'

const HOST = { playerId: 'ann' }

it('a project that holds as many live lobbies as it may makes no other one', async () => {
  const { matchyard, projectId, clock } = await service(undefined, { maxLobbiesPerProject: 2 })
  await matchyard.queues.create({ projectId, queueId: 'few', name: 'Few' })
  const make = () => matchyard.lobbies.create({ ...HOST, projectId, queueId: 'few' })
  const first = await make()
  clock.advance(1_000)
  await make()
  clock.advance(1_000)
  await expect(make()).rejects.toMatchObject({ code: 'UNAVAILABLE', retryAfterSeconds: 10 })
  const join = { projectId, queueId: 'few', playerId: 'bea', filter: { mode: 'other' } }
  await expect(matchyard.lobbies.quickJoin(join)).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  const { total } = await matchyard.lobbies.ofProject({ projectId })
  expect(total).toBe(2)

  await matchyard.lobbies.delete({ projectId, lobbyId: first.id, backend: true })
  clock.advance(1_000)
  expect((await make()).status).toBe('waiting')
})

it('of queues, keys and projects there are as many as may be, and no more', async () => {
  // Only the totals of the lists are used, not their data.
  let held = 0
  const told = async () => ({ data: [], total: held })
  const { matchyard } = await service((storage) => ({
    queues: { ...storage.queues, list: told },
    apiKeys: { ...storage.apiKeys, list: told },
    projects: { ...storage.projects, list: told },
  }))
  const account = await matchyard.accounts.create({ email: 'ann@example.com', password: 'correct horse', name: 'Ann' })
  const accountId = account.id
  const { project } = await matchyard.projects.create({ accountId, name: 'Crowded' })
  const projectId = project.id
  const calls = [
    ['max_queues', MAX_QUEUES, () => matchyard.queues.create({ projectId, queueId: `q${held}`, name: 'Queue' })],
    ['max_keys', MAX_KEYS, () => matchyard.keys.mint({ accountId, projectId, type: 'client' })],
    ['max_projects', MAX_PROJECTS, () => matchyard.projects.create({ accountId, name: 'Another' })],
  ] as const
  for (const [limit, allowed, make] of calls) {
    held = allowed - 1
    await make()
    held = allowed
    await expect(make()).rejects.toMatchObject({ code: 'PLAN_LIMIT_EXCEEDED', details: { limit, allowed } })
  }
})
