import { expect, test } from 'vitest'
import { startService } from './harness/service'
import { makeLobby, makeQueue, openStudio } from './harness/studio'

test('DELETE /v1/players/{player_id} is 202, again and for strangers too, and for server keys alone', async () => {
  const service = await startService()
  const studio = await openStudio(service)
  await makeQueue(service, studio)
  const lobby = await makeLobby(service, studio, 'ann b/c')
  const erase = (key: string, player = 'ann b/c') =>
    service.call(`DELETE /v1/players/${encodeURIComponent(player)}`, { key })
  expect((await erase(studio.client)).body.code).toBe('CREDENTIAL_NOT_ALLOWED')
  for (let times = 0; times < 2; times++) {
    expect(await erase(studio.server)).toMatchObject({ status: 202, text: '' })
    await service.settle()
    expect((await service.call(`GET /v1/lobbies/${lobby.lobby_id}`, { key: studio.server })).status).toBe(404)
  }
  expect((await erase(studio.server, 'nobody')).status).toBe(202)
})
