import { beforeEach, describe, expect, test } from 'vitest'
import { type Service, startService } from './harness/service'
import { makeLobby, makeQueue, openStudio, type Studio } from './harness/studio'

let service: Service
let studio: Studio

beforeEach(async () => {
  service = await startService()
  studio = await openStudio(service)
  await makeQueue(service, studio)
})

const quickJoin = (player: string, body: object = {}) =>
  service.call('POST /v1/lobbies/quick-join', { key: studio.client, player, body: { queue_id: 'duel', ...body } })

describe('POST /v1/lobbies/quick-join', () => {
  test('is 201 with a lobby that was made, which has the filter for its settings, and 200 with one that was joined', async () => {
    const filter = { mode: 'duel', level: 5 }
    const made = await quickJoin('ann', { filter, state: { mmr: 1 } })
    expect(made).toMatchObject({ status: 201, body: { host_player_id: 'ann', settings: filter, current_players: 1 } })
    const joined = await quickJoin('bob', { filter: { level: 5 } })
    expect(joined).toMatchObject({ status: 200, body: { lobby_id: made.body.lobby_id, current_players: 2 } })
    expect(Object.keys(joined.body)).toEqual(Object.keys(made.body))
  })

  test.each([
    [{ filter: { a: 1, b: 2, c: 3, d: 4, e: 5 } }, 'filter'],
    [{ filter: { a: {} } }, 'filter'],
    [{ filter: [] }, 'filter'],
    [{ create: 'yes' }, 'create'],
  ])('refuses %j', async (body, path) => {
    const refused = await quickJoin('ann', body)
    expect(refused).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED', details: { issues: [{ path }] } } })
  })
})

describe('GET /v1/lobbies with settings[key]=value', () => {
  const browse = async (query: string) => {
    const { status, body, text } = await service.call(`GET /v1/lobbies?${query}`, { key: studio.client })
    if (status !== 200) throw new Error(text)
    return body
  }

  test('shows those whose settings hold the value, as JSON has it or as text', async () => {
    const settings = [
      { mode: 'duel', level: 5 },
      { mode: 'duel', level: '5' },
      { mode: 'raid', on: true, level: null },
    ]
    const lobbies = []
    for (const each of settings) lobbies.push(await makeLobby(service, studio, 'ann', { settings: each }))
    const ids = lobbies.map(({ lobby_id }) => lobby_id)
    const found = async (query: string) =>
      (await browse(`sort=created_at_asc&${query}`)).data.map((lobby: { lobby_id: string }) =>
        ids.indexOf(lobby.lobby_id),
      )
    expect(await found('settings[mode]=duel')).toEqual([0, 1])
    expect(await found('settings[mode]=duel&settings[level]=5')).toEqual([0])
    expect(await found(`settings[level]=${encodeURIComponent('"5"')}`)).toEqual([1])
    expect(await found('settings%5Bon%5D=true')).toEqual([2])
    expect(await found('settings[on]=yes')).toEqual([])
    // A number that is too large stays a text. JSON would write it as null, which one lobby has.
    expect(await found('settings[level]=null')).toEqual([2])
    expect(await found('settings[level]=1e999')).toEqual([])
    expect(await browse('settings[mode]=duel&limit=1')).toMatchObject({ total: 2, has_more: true })
  })

  test.each(['settings=duel', 'settings[a]=1&settings[b]=1&settings[c]=1&settings[d]=1&settings[e]=1'])(
    'refuses %s',
    async (query) => {
      const { status, body } = await service.call(`GET /v1/lobbies?${query}`, { key: studio.client })
      expect([status, body.code]).toEqual([400, 'VALIDATION_FAILED'])
    },
  )
})
