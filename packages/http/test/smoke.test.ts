import { expect, test } from 'vitest'
import { startService } from './harness/service'
import { makeBuild, makeMatch, makeQueue, openStudio } from './harness/studio'

test('from an account to a match with a running server', async () => {
  const service = await startService()
  const studio = await openStudio(service)
  const build = await makeBuild(service, studio)
  expect(build).toMatchObject({ name: 'arena', version: 1, status: 'ready', build_type: 'zip', error_message: null })
  await makeQueue(service, studio, {
    server_settings: {
      version_tag: 'arena',
      network_ports: [{ name: 'game', protocol: 'udp', internal_port: 7777 }],
    },
  })
  const [mine, theirs] = await makeMatch(service, studio)
  expect(mine.status).toBe('in_game')
  expect(theirs.match_id).toBe(mine.match_id)
  expect(mine.server).toMatchObject({ status: 'running', match_id: mine.match_id, region: 'iad' })
  const match = await service.call(`GET /v1/matches/${mine.match_id}`, { key: studio.client })
  expect(match.body.teams.map((team: { players: unknown[] }) => team.players.length)).toEqual([1, 1])
  const server = await service.call(`GET /v1/servers/${mine.server.instance_id}`, { key: studio.server })
  expect(server.body).toMatchObject({ status: 'running', tier: '1x-1g', build_version: 1, match_id: mine.match_id })
  const usage = await service.call('GET /v1/billing/usage', { token: studio.token })
  expect(usage.status).toBe(200)
})
