import { beforeEach, describe, expect, test } from 'vitest'
import type { Body } from './harness/client'
import { type Service, startService } from './harness/service'
import { makeLobby, makeQueue, openStudio, type Studio } from './harness/studio'

let service: Service
let studio: Studio

beforeEach(async () => {
  service = await startService()
  studio = await openStudio(service)
})

const RATING = '/v1/ratings/ranked'
const backend = (body?: Body) => ({ key: studio.server, ...(body === undefined ? {} : { body }) })
const set = (body: Body = { name: 'Ranked' }) => service.call(`PUT ${RATING}`, backend(body))

describe('a rating', () => {
  test('is set, read, listed and deleted by a server key', async () => {
    const wish = { name: 'Ranked', model: 'thurstoneMostellerPart', params: { limit_sigma: true } }
    const { status, body } = await set(wish)
    expect([status, body]).toEqual([
      200,
      {
        rating_id: 'ranked',
        ...wish,
        params: { beta: 25 / 6, tau: 25 / 300, limit_sigma: true },
        initial: { mu: 25, sigma: 8.333 },
        display: { base: 1_500, per_sigma: 500 },
        placement_matches: 5,
        created_at: expect.any(String),
        updated_at: expect.any(String),
      },
    ])
    expect((await service.call(`GET ${RATING}`, backend())).body).toEqual(body)
    const list = await service.call('GET /v1/ratings', backend())
    expect(list.body).toEqual({ total: 1, limit: 50, offset: 0, has_more: false, data: [body] })
    expect((await service.call(`DELETE ${RATING}`, backend())).status).toBe(204)
    for (const method of ['GET', 'DELETE']) {
      const gone = await service.call(`${method} ${RATING}`, backend())
      expect(gone).toMatchObject({ status: 404, body: { code: 'RATING_NOT_FOUND', number: 5019 } })
    }
  })

  test('is in use while a queue names it', async () => {
    await set()
    await makeQueue(service, studio, { rating: 'ranked' })
    const refused = await service.call(`DELETE ${RATING}`, backend())
    expect(refused).toMatchObject({ status: 409, body: { code: 'RATING_IN_USE', number: 5021 } })
    const none = { queue_id: 'other', name: 'Other', rating: 'nope' }
    expect((await service.call('POST /v1/queues', backend(none))).body.code).toBe('RATING_NOT_FOUND')
  })

  test.each([
    [{ name: 'R', model: 'elo' }, 'model'],
    [{ name: 'R', initial: { sigma: 0 } }, 'initial.sigma'],
    [{ name: 'R', display: { per_sigma: 0 } }, 'display.per_sigma'],
    [{ name: 'R', placement_matches: 101 }, 'placement_matches'],
    [{ name: 'R', params: { gamma: 1 } }, 'params.gamma'],
    [{}, 'name'],
  ])('is refused for %j', async (wish, path) => {
    const { body } = await set(wish)
    expect([body.code, body.details.issues[0].path]).toEqual(['VALIDATION_FAILED', path])
  })

  test('has an id as queues have', async () => {
    const { body } = await service.call('PUT /v1/ratings/Ranked', backend({ name: 'R' }))
    expect([body.code, body.details.issues[0].path]).toEqual(['VALIDATION_FAILED', 'rating_id'])
  })

  test('is for server keys; the leaderboard and standings are for clients too', async () => {
    await set()
    const client = { key: studio.client }
    for (const what of [`GET ${RATING}`, 'GET /v1/ratings', `DELETE ${RATING}`, `GET ${RATING}/calibration`]) {
      expect((await service.call(what, client)).body.code).toBe('CREDENTIAL_NOT_ALLOWED')
    }
    const board = await service.call(`GET ${RATING}/leaderboard?placement=true`, client)
    expect(board.body).toEqual({ total: 0, limit: 50, has_more: false, data: [] })
    const ratings = await service.call('GET /v1/players/ann/ratings', client)
    expect(ratings.body).toEqual({ total: 0, limit: 50, offset: 0, has_more: false, data: [] })
    expect((await service.call(`GET ${RATING}/leaderboard?around=ann`, client)).body.data).toEqual([])
    for (const [query, path] of [
      ['offset=1', 'offset'],
      ['cursor=x', 'cursor'],
      ['season=nope', 'season'],
    ]) {
      const { body } = await service.call(`GET ${RATING}/leaderboard?${query}`, client)
      expect([body.code, body.details.issues[0].path]).toEqual(['VALIDATION_FAILED', path])
    }
  })

  test('has seasons with names of their own', async () => {
    await set()
    const start = (body: Body) => service.call(`POST ${RATING}/seasons`, backend(body))
    const { status, body } = await start({ name: 'Spring', keep: 0.5 })
    expect([status, body]).toEqual([201, { name: 'Spring', keep: 0.5, started_at: expect.any(String) }])
    expect((await start({ name: 'Spring', keep: 0 })).body.code).toBe('VALIDATION_FAILED')
    expect((await start({ name: 'Summer', keep: 2 })).body.code).toBe('VALIDATION_FAILED')
    expect((await service.call(`GET ${RATING}/seasons`, backend())).body).toMatchObject({ total: 1, data: [body] })
  })

  test('has a calibration of ten buckets', async () => {
    await set()
    const { body } = await service.call(`GET ${RATING}/calibration`, backend())
    expect(body.matches).toBe(0)
    expect(body.buckets).toHaveLength(10)
    expect(body.buckets[9]).toEqual({ from: 0.9, to: 1, count: 0, predicted: null, actual: null })
  })
})

test('a queue with a rating writes it into the states of those who enter, and clients may not', async () => {
  await set()
  const matchmaking = { teams: 2, players_per_team: 1 }
  await makeQueue(service, studio, { rating: 'ranked', rating_field: 'skill', matchmaking })
  const refused = { key: studio.client, player: 'bob', body: { queue_id: 'duel', state: { skill: 9 } } }
  expect((await service.call('POST /v1/lobbies', refused)).body.code).toBe('PLAYER_STATE_FORBIDDEN')
  const { lobby_id: id } = await makeLobby(service, studio)
  const { body } = await service.call(`POST /v1/lobbies/${id}/queue`, { key: studio.client, player: 'ann' })
  expect(body.players[0].state).toEqual({ skill: 1_500, skill_uncertainty: 500 })
})
