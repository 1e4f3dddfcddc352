import { expect, test } from 'vitest'
import { withServer } from './harness/lobby-calls'
import { startService } from './harness/service'
import { makeBuild, makeLobby, makeMatch, makeQueue, openStudio } from './harness/studio'

test('a game server reports a leaver, who must wait, and excuses another player', async () => {
  const service = await startService()
  const studio = await openStudio(service)
  await makeBuild(service, studio)
  await makeQueue(service, studio, { ...withServer, leaver_penalty: 90 })
  await makeMatch(service, studio)
  await service.settle()
  const token = String(service.orchestrator.launches[0]?.config.token)
  const left = (player: string, query = '') =>
    service.call(`DELETE /v1/servers/self/players/${player}${query}`, { token })
  const enters = async (player: string) => {
    const { lobby_id: id } = await makeLobby(service, studio, player)
    return service.call(`POST /v1/lobbies/${id}/queue`, { key: studio.client, player })
  }
  expect((await left('ann', '?excused=perhaps')).body).toMatchObject({
    code: 'VALIDATION_FAILED',
    details: { issues: [{ path: 'excused', message: 'must be "true", "false"' }] },
  })
  expect((await left('ann', '?excused=false')).status).toBe(204)
  expect((await left('bob', '?excused=true')).status).toBe(204)
  const refused = await enters('ann')
  expect(refused.body).toMatchObject({ code: 'PLAYER_COOLING_DOWN', details: { players: ['ann'] } })
  expect(refused.headers.get('retry-after')).toBe('90')
  expect((await enters('bob')).status).toBe(200)
})
