import assert from 'node:assert/strict'
import { DELIVERIES_KEPT_MS } from '@matchyard/core/ports'
import { apply, next, put, store } from './changes'
import { area } from './harness'
import { aDelivery, aLobby, aMatch, aMessage, PROJECT_ID, players } from './samples'

const it = area('deliveries')
const NOW = 100 * DELIVERIES_KEPT_MS

const aTeam = (...playerIds: string[]) => [
  {
    name: 'team_1',
    players: playerIds.map((playerId) => ({ playerId, lobbyId: 'lob_a', role: null, state: {}, leftAt: null })),
  },
]

export const deliveryCases = [
  it('are told by their webhook and status, newest first, a page at a time', async ({ storage }) => {
    const [old, mid, young] = [1_000, 2_000, 3_000].map((createdAt) => aDelivery({ createdAt }))
    assert.ok(old && mid && young)
    await store(storage, 'delivery', mid, old, young, aDelivery({ webhookId: 'whk_b' }))
    const list = (query: object = {}) => storage.deliveries.list({ webhookId: 'whk_a', limit: 10, offset: 0, ...query })
    assert.deepEqual(await list(), { total: 3, data: [young, mid, old] })
    assert.deepEqual(await list({ limit: 1, offset: 1 }), { total: 3, data: [mid] })
    const delivered = next(mid, { status: 'delivered', nextAttemptAt: null })
    await store(storage, 'delivery', delivered)
    assert.deepEqual(await list({ status: 'delivered' }), { total: 1, data: [delivered] })
    assert.deepEqual(await list({ status: 'pending' }), { total: 2, data: [young, old] })
    assert.deepEqual(await list({ status: 'failed' }), { total: 0, data: [] })
    assert.deepEqual(await storage.deliveries.list({ webhookId: 'whk_none', limit: 10, offset: 0 }), {
      total: 0,
      data: [],
    })
  }),

  it('come with their message in the commit of what it tells of, or not at all', async ({ storage, backDoor }) => {
    const match = aMatch()
    const message = aMessage({ type: 'match.found', subject: { kind: 'match', match, server: null } })
    const delivery = aDelivery({ messageId: message.id })
    await store(storage, 'match', match)
    const writes = [put('match', match), put('message', message), put('delivery', delivery)]
    const refused = await storage.commit({
      ...{ id: 'cmt_refused', at: 1_000, checks: [], counters: [], events: [], jobs: [] },
      writes,
    })
    assert.equal(refused.ok, false)
    assert.deepEqual([await backDoor.entities('message'), await backDoor.entities('delivery')], [[], []])
    await apply(storage, { writes: writes.slice(1) })
    assert.deepEqual(await storage.get('message', message.id), message)
    assert.deepEqual(await storage.get('delivery', delivery.id), delivery)
  }),

  it('are found through their messages by the players of whom those tell, until nothing in them says so', async ({
    storage,
  }) => {
    const lobby = aLobby({ players: players('ann', 'bob'), hostPlayerId: 'ann' })
    const old = aMessage({ createdAt: 1_000, subject: { kind: 'lobby', lobby } })
    const match = aMatch({ teams: aTeam('ann', 'bob') })
    const young = aMessage({ createdAt: 2_000, type: 'match.ended', subject: { kind: 'match', match, server: null } })
    const elsewhere = aMessage({
      projectId: 'prj_b',
      subject: { kind: 'lobby', lobby: { ...lobby, projectId: 'prj_b' } },
    })
    await store(storage, 'message', young, elsewhere, old)
    const of = (playerId: string, limit = 10) => storage.messages.ofPlayer(PROJECT_ID, playerId, limit)
    assert.deepEqual(await of('ann'), [young, old])
    assert.deepEqual(await of('ann', 1), [young])
    await store(
      storage,
      'message',
      next(young, { subject: { kind: 'match', match: { ...match, teams: aTeam('', 'bob') }, server: null } }),
    )
    assert.deepEqual(await of('ann'), [old])
    assert.equal((await of('bob')).length, 2)
    assert.deepEqual(await of(''), [])
  }),

  it('are forgotten after seven days, and a message with the last of its own', async ({ storage, backDoor }) => {
    const [before, since] = [NOW - DELIVERIES_KEPT_MS - 1, NOW - DELIVERIES_KEPT_MS]
    const [alone, sentAgain, young] = [
      aMessage({ id: 'msg_alone', createdAt: before }),
      aMessage({ id: 'msg_again', createdAt: before }),
      aMessage({ id: 'msg_young', createdAt: since }),
    ]
    await store(storage, 'message', alone, sentAgain, young)
    await store(
      storage,
      'delivery',
      aDelivery({ id: 'dlv_1', messageId: alone.id, createdAt: before }),
      aDelivery({ id: 'dlv_2', messageId: sentAgain.id, createdAt: before }),
      aDelivery({ id: 'dlv_3', messageId: sentAgain.id, createdAt: since }),
    )
    await storage.prune(NOW)
    const ids = async (kind: 'message' | 'delivery') => (await backDoor.entities(kind)).map(({ id }) => id).sort()
    assert.deepEqual([await ids('message'), await ids('delivery')], [['msg_again', 'msg_young'], ['dlv_3']])
    await storage.prune(NOW + 2)
    assert.deepEqual([await ids('message'), await ids('delivery')], [[], []])
  }),
]
