import { expect, test } from 'vitest'
import { startService } from './harness/service'
import { makeQueue, openStudio } from './harness/studio'

test('backends and developers read figures over time; players do not', async () => {
  const service = await startService()
  const studio = await openStudio(service)
  await makeQueue(service, studio, { queue_id: 'duel' })
  const read = (query: string, by: object = { key: studio.server }) => service.call(`GET /v1/metrics?${query}`, by)
  const answer = await read(
    'series=matches,waits&queue_id=duel&from=2026-01-01T00:00:00Z&to=2026-01-02T00:00:00Z&step=1h',
  )
  expect([answer.status, answer.body]).toEqual([
    200,
    {
      ...{ queue_id: 'duel', step: '1h', from: '2026-01-01T00:00:00.000Z', to: '2026-01-02T00:00:00.000Z' },
      series: [
        { name: 'matches', points: [] },
        { name: 'waits', points: [] },
      ],
    },
  ])
  const { token, projectId } = studio
  expect((await read(`series=cost&project_id=${projectId}`, { token })).body).toMatchObject({
    step: '1m',
    queue_id: null,
  })
  expect((await read('series=cost', { token })).status).toBe(400)
  expect((await read('series=cost', { key: studio.client })).status).toBe(403)
  expect((await read('')).body).toMatchObject({ series: Array.from({ length: 11 }, () => ({ points: [] })) })
  const refused = ['series=', 'series=ping', 'series=cost,cost', 'series=cost&step=2m', 'series=cost&from=yesterday']
  for (const query of [...refused, 'series=cost&from=2020-01-01T00:00:00Z&step=1m'])
    expect((await read(query)).body, query).toMatchObject({ code: 'VALIDATION_FAILED' })
})

test('calls that are refused count by their code, of callers with a credential of the project alone', async () => {
  const service = await startService()
  const studio = await openStudio(service)
  const get = (path: string, by: object) => service.call(`GET ${path}`, by)
  expect((await get('/v1/lobbies/lob_none', { key: studio.server })).status).toBe(404)
  expect((await get('/v1/lobbies/lob_none', { key: studio.server })).status).toBe(404)
  expect((await get('/v1/queues?limit=none', { key: studio.server })).status).toBe(400)
  expect((await get('/v1/lobbies/lob_none', { key: 'mk_server_of_a_stranger' })).status).toBe(401)
  expect((await get('/v1/lobbies/lob_none', {})).status).toBe(401)
  await service.matchyard.worker.noteCounts()
  const { body } = await get('/v1/metrics?series=refusals&step=1m', { key: studio.server })
  expect(body.series[0].points).toMatchObject([{ value: 3, parts: { LOBBY_NOT_FOUND: 2, VALIDATION_FAILED: 1 } }])
})
