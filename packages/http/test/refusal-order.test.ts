import { expect, test } from 'vitest'
import { startService } from './harness/service'
import { makeBuild, makeLobby, makeQueue, openStudio } from './harness/studio'

// The conformance suite checks the order of all refusals (C-1-24). This test covers a case that the suite leaves open.
test('the plan is judged before a queue that there is not, where a lobby is to be made', async () => {
  const service = await startService()
  const [studio, free] = [await openStudio(service), await openStudio(service, 'free')]
  const quick = async (body: object, key = free.client) => {
    const options = { key, player: 'ann', body: { queue_id: 'nope', ...body } }
    return (await service.call('POST /v1/lobbies/quick-join', options)).body.code
  }
  expect(await quick({})).toBe('PLAN_LIMIT_EXCEEDED')
  expect(await quick({ create: false })).toBe('QUEUE_NOT_FOUND')
  expect(await quick({}, studio.client)).toBe('QUEUE_NOT_FOUND')
})

test('one server too many is refused before the state and the version are judged', async () => {
  const service = await startService({ core: { operatorLimits: { maxConcurrentServers: 1 } } })
  const studio = await openStudio(service)
  await service.matchyard.billing.setPlan({ accountId: studio.accountId, plan: 'self_hosted' })
  await makeBuild(service, studio)
  await makeQueue(service, studio, {
    server_settings: { version_tag: 'arena' },
    matchmaking: { teams: 2, players_per_team: 1, use_version_from_state: true, allowed_versions: ['2'] },
  })
  const starter = async (player: string, state: object) => {
    const { lobby_id: id } = await makeLobby(service, studio, player, { state })
    return async () => (await service.call(`POST /v1/lobbies/${id}/start`, { key: studio.client, player })).body
  }
  const [ann, bob] = [await starter('ann', {}), await starter('bob', { game_version: '1' })]
  expect((await bob()).code).toBe('PARTY_CANNOT_MATCH')
  expect((await ann()).status).toBe('starting')
  expect((await bob()).code).toBe('PLAN_LIMIT_EXCEEDED')
  expect((await ann()).code).toBe('PLAN_LIMIT_EXCEEDED')
})

test('closed registration is told before the faults of the body', async () => {
  const shut = await startService({ app: { registration: 'closed' } })
  expect((await shut.call('POST /v1/auth/register', { body: {} })).body.code).toBe('REGISTRATION_CLOSED')
})
