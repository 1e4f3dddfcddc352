import assert from 'node:assert/strict'
import { EXIT_REASONS, type ExitReason, type Match, type QueueTicket } from '@matchyard/core'
import { HOUR_MS, MINUTE_MS } from '@matchyard/core/domain'
import { EXITS, exitFigure, PROPOSAL_FIGURES, PROPOSALS, type WaitTotal } from '@matchyard/core/ports'
import { apply, change, countOk, next, put, remove, store } from './changes'
import { area } from './harness'
import { aLobby, aMatch, aRequest, aTicket, QUEUE_KEY } from './samples'

const it = area('figures')

const AT = 10 * HOUR_MS
const waited = (...waits: readonly (readonly [players: number, waitedMs: number])[]) => ({
  waits: waits.map(([players, waitedMs], index) => ({ lobbyId: `lob_${index}`, players, waitedMs })),
})
const made = (createdAt: number, ...waits: readonly (readonly [number, number])[]): Match =>
  aMatch({ createdAt, ...waited(...waits) })

/**
 * Returns the number of matches; and for each party size the count, the shortest and the longest wait of each bucket.
 */
const told = (totals: readonly WaitTotal[]) => ({
  matches: totals.filter(({ players }) => players === 0).reduce((sum, { count }) => sum + count, 0),
  waits: totals
    .filter(({ players }) => players > 0)
    .map(({ players, count, leastMs, mostMs }) => [players, count, leastMs, mostMs]),
})

const proposalsTold = (totals: readonly WaitTotal[]) =>
  PROPOSAL_FIGURES.map(
    (_, index) => totals.find(({ players, bucket }) => players === PROPOSALS && bucket === index)?.count ?? 0,
  )

const large = (bytes: number) => [{ playerId: 'ann', state: { text: 'x'.repeat(bytes) } }]
const idsOf = (tickets: readonly QueueTicket[]) => tickets.map(({ id }) => id).sort()

export const figureCases = [
  it('of matches count each once, with what its parties waited, by their size', async ({ storage }) => {
    await store(storage, 'match', made(AT, [1, 4_000], [2, 9_000]), made(AT + 1, [1, 4_100]), made(AT + 2, [1, 60_000]))
    assert.deepEqual(told(await storage.matches.waits(QUEUE_KEY, AT)), {
      matches: 3,
      waits: [
        [1, 2, 4_000, 4_100],
        [1, 1, 60_000, 60_000],
        [2, 1, 9_000, 9_000],
      ],
    })
    assert.deepEqual(await storage.matches.waits('prj_a/none', 0), [])
  }),

  it('of matches leave direct starts out, and what becomes of a match later', async ({ storage }) => {
    const match = made(AT, [1, 4_000])
    await store(storage, 'match', match, made(AT))
    await store(storage, 'match', next(match, { endedAt: AT + 5, ...waited([1, 4_000], [1, 5_000]) }))
    const totals = { matches: 1, waits: [[1, 1, 4_000, 4_000]] }
    assert.deepEqual(told(await storage.matches.waits(QUEUE_KEY, AT)), totals)
  }),

  it('of proposed matches count what they are and what came of it, with the commit that says so', async ({
    storage,
  }) => {
    const asked = { expiresAt: AT + 15_000, penaltySeconds: 0, spreadAt: null }
    const proposed = Array.from({ length: 4 }, () =>
      aMatch({ status: 'proposed', createdAt: AT, proposal: { ...asked, settled: null } }),
    )
    await store(storage, 'match', ...proposed)
    assert.deepEqual(proposalsTold(await storage.matches.waits(QUEUE_KEY, AT)), [4, 0, 0, 0])
    for (const [index, outcome] of (['accepted', 'declined', 'expired', 'impossible'] as const).entries()) {
      const before = proposed[index] as Match
      const answered = next(before, { region: 'fra' })
      const made = outcome === 'accepted' ? waited([1, 4_000]) : { endedAt: AT + 6 }
      const settled = next(answered, { ...made, proposal: { ...asked, settled: { outcome, version: 3 } } })
      await store(storage, 'match', answered)
      await store(storage, 'match', settled)
      await store(storage, 'match', next(settled, { region: 'iad' }))
    }
    const totals = await storage.matches.waits(QUEUE_KEY, AT)
    assert.deepEqual(proposalsTold(totals), [4, 1, 1, 1])
    assert.deepEqual(told(totals), { matches: 1, waits: [[1, 1, 4_000, 4_000]] })
  }),

  it('of what commits count besides stand beside those of matches, each reason by itself, and come from what was applied', async ({
    storage,
  }) => {
    const exit = (reason: ExitReason, at = AT) => exitFigure(QUEUE_KEY, reason, at)
    const figures = [exit('timeout'), exit('timeout'), exit('no_room'), exitFigure('prj_a/casual', 'no_room', AT)]
    await apply(storage, { writes: [put('match', made(AT, [1, 4_000]))], figures })
    await apply(storage, { figures: [exit('timeout', AT + MINUTE_MS), exit('cancelled', AT - MINUTE_MS)] })
    const lobby = aLobby()
    await store(storage, 'lobby', lobby)
    const refused = change({ writes: [put('lobby', lobby)], figures: [exit('timeout')] })
    assert.equal((await storage.commit(refused)).ok, false)
    const exits = async (queueKey: string, since = AT) =>
      (await storage.matches.waits(queueKey, since)).flatMap(({ players, bucket, count }) =>
        players === EXITS ? [[EXIT_REASONS[bucket], count]] : [],
      )
    assert.deepEqual(await exits(QUEUE_KEY), [
      ['timeout', 3],
      ['no_room', 1],
    ])
    assert.deepEqual(await exits(QUEUE_KEY, AT - MINUTE_MS), [
      ['cancelled', 1],
      ['timeout', 3],
      ['no_room', 1],
    ])
    assert.deepEqual(await exits('prj_a/casual'), [['no_room', 1]])
    assert.deepEqual(told(await storage.matches.waits(QUEUE_KEY, AT)), { matches: 1, waits: [[1, 1, 4_000, 4_000]] })
  }),

  it('of matches begin with the first slot at or after the instant, and are of one queue', async ({ storage }) => {
    const before = made(AT - 1, [1, 1_000])
    const later = made(AT + 20 * MINUTE_MS, [1, 3_000])
    await store(
      storage,
      'match',
      before,
      made(AT, [1, 2_000]),
      later,
      aMatch({ ...later, id: 'mat_x', queueId: 'casual' }),
    )
    const from = async (since: number) => told(await storage.matches.waits(QUEUE_KEY, since)).matches
    assert.deepEqual([await from(AT), await from(AT + 1), await from(AT + HOUR_MS)], [2, 1, 0])
  }),

  it('of matches come from what was applied alone', async ({ storage }) => {
    const match = made(AT, [1, 4_000])
    await storage.commit(change({ writes: [put('match', match), put('lobby', next(aLobby()))] }))
    assert.deepEqual(await storage.matches.waits(QUEUE_KEY, AT), [])
    const commit = change({ writes: [put('match', match)] })
    assert.deepEqual(await Promise.all([storage.commit(commit), storage.commit(commit)]), [{ ok: true }, { ok: true }])
    assert.equal(told(await storage.matches.waits(QUEUE_KEY, AT)).matches, 1)
  }),

  it('of matches lose none of many that are made at once', async (subject) => {
    const handles = [subject.storage, await subject.another()]
    const matches = Array.from({ length: 60 }, (_, index) => made(AT, [1, 4_000], [1, 4_000 + index]))
    const results = await Promise.all(
      matches.map((match, index) => handles[index % 2]?.commit(change({ writes: [put('match', match)] }))),
    )
    assert.equal(countOk(results.filter((result) => result !== undefined)), 60)
    assert.deepEqual(told(await subject.storage.matches.waits(QUEUE_KEY, AT)), {
      matches: 60,
      waits: [[1, 120, 4_000, 4_059]],
    })
  }),

  it('of those who wait can be asked of one queue', async ({ storage }) => {
    const [a, b] = [aTicket(), aTicket({ queueKey: 'prj_a/casual', players: [] })]
    await store(storage, 'ticket', a, b)
    assert.deepEqual(await storage.tickets.waiting(QUEUE_KEY), [{ queueKey: QUEUE_KEY, parties: 1, players: 1 }])
    assert.deepEqual(await storage.tickets.waiting('prj_a/none'), [])
    await apply(storage, { writes: [remove('ticket', a)] })
    assert.deepEqual(await storage.tickets.waiting(QUEUE_KEY), [])
  }),

  it('show all who wait where they are few, in their present form', async ({ storage }) => {
    const tickets = Array.from({ length: 12 }, () => aTicket())
    const [left, changed] = [tickets.pop(), tickets.pop()]
    assert.ok(left && changed)
    await store(storage, 'ticket', ...tickets, left, changed, aTicket({ queueKey: 'prj_a/casual' }))
    const later = next(changed, { players: [] })
    await store(storage, 'ticket', later)
    await apply(storage, { writes: [remove('ticket', left)] })
    const seen = await storage.tickets.sample(QUEUE_KEY, 11, 1_000_000)
    assert.deepEqual(idsOf(seen), idsOf([...tickets, later]))
    assert.deepEqual(
      seen.find(({ id }) => id === later.id),
      later,
    )
    assert.deepEqual(await storage.tickets.sample('prj_a/none', 10, 1_000_000), [])
  }),

  it('show parties alone, however many matches ask for newcomers', async ({ storage }) => {
    const parties = Array.from({ length: 5 }, () => aTicket())
    for (const ticket of parties) {
      await store(storage, 'ticket', aRequest(), aRequest(), ticket, aRequest())
    }
    assert.deepEqual(idsOf(await storage.tickets.sample(QUEUE_KEY, 10, 1_000_000)), idsOf(parties))
    assert.equal((await storage.tickets.sample(QUEUE_KEY, 3, 1_000_000)).length, 3)
  }),

  it('show some of many who wait, each once and none who left', async ({ storage }) => {
    const tickets = Array.from({ length: 60 }, () => aTicket())
    await store(storage, 'ticket', ...tickets)
    for (const ticket of tickets.slice(0, 20)) await apply(storage, { writes: [remove('ticket', ticket)] })
    const seen = idsOf(await storage.tickets.sample(QUEUE_KEY, 25, 1_000_000))
    assert.equal(new Set(seen).size, 25)
    const waiting = new Set(idsOf(tickets.slice(20)))
    assert.ok(seen.every((id) => waiting.has(id)))
  }),

  it('show fewer of those who are large, and never none', async ({ storage }) => {
    await store(storage, 'ticket', ...Array.from({ length: 8 }, () => aTicket({ players: large(10_000) })))
    const count = async (maxBytes: number) => (await storage.tickets.sample(QUEUE_KEY, 8, maxBytes)).length
    assert.deepEqual([await count(1), await count(35_000), await count(1_000_000)], [1, 3, 8])
  }),
]
