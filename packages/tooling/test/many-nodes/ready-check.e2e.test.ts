import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Cluster, startCluster } from '../../src/many-nodes/cluster'
import { rounds, seeded } from '../../src/rounds'

interface LobbyBody {
  readonly lobby_id: string
  readonly status: string
  readonly match_id: string | null
  readonly last_exit: { readonly reason: string } | null
  readonly proposal?: { readonly match_id: string; readonly accepted: number; readonly expires_at: string }
  readonly code?: string
}

/** Rounds that run at the same time, because one round may have to wait for a deadline of 7 s. */
const TOGETHER = 25
const WITHIN_MS = 30_000

describe('a ready check on three nodes', () => {
  let cluster: Cluster
  beforeAll(async () => {
    cluster = await startCluster(3)
    const pairs = { teams: 2, players_per_team: 1, rules: [{ type: 'equals', field: 'round', required: true }] }
    const crowd = { teams: 100, players_per_team: 1 }
    for (const [queue_id, matchmaking] of [
      // 7 s is longer than a server keeps an idle connection: a connection that it closes must not collide with the
      // answer.
      ['duel', { ...pairs, ready_check: { timeout: 7 } }],
      ['patient', { ...pairs, ready_check: { timeout: 60 } }],
      ['crowd', { ...crowd, ready_check: { timeout: 120 } }],
      ['broken', { ...crowd, ready_check: { timeout: 120 } }],
    ] as const) {
      // The players of the match in `crowd` are proposed another match in `broken` while that match runs.
      const body = { queue_id, name: queue_id, timeout: 600, matchmaking, concurrent_matches: queue_id === 'crowd' }
      const { status } = await cluster.next().call({ method: 'POST', path: '/v1/queues', key: cluster.serverKey, body })
      expect(status).toBe(201)
    }
  }, 120_000)
  afterAll(() => cluster?.stop())

  const post = (path: string, player: string, body?: object) =>
    cluster.next().call<LobbyBody>({ method: 'POST', path, player, ...(body === undefined ? {} : { body }) })
  const get = async (lobbyId: string) =>
    (await cluster.next().call<LobbyBody>({ method: 'GET', path: `/v1/lobbies/${lobbyId}`, key: cluster.serverKey }))
      .body
  const answer = (lobbyId: string, player: string, word: 'accept' | 'decline') =>
    post(`/v1/lobbies/${lobbyId}/proposal/${word}`, player)

  async function enter(queue: string, player: string, round: number): Promise<string> {
    const { body } = await post('/v1/lobbies', player, { queue_id: queue, state: { round } })
    expect((await post(`/v1/lobbies/${body.lobby_id}/queue`, player)).status).toBe(200)
    return body.lobby_id
  }

  async function until(lobbyId: string, holds: (lobby: LobbyBody) => boolean): Promise<LobbyBody> {
    for (const end = performance.now() + WITHIN_MS; ; await wait(50)) {
      const lobby = await get(lobbyId)
      if (holds(lobby) || performance.now() > end) return lobby
    }
  }
  const proposed = async (lobbyId: string) => (await until(lobbyId, (lobby) => lobby.proposal !== undefined)).proposal

  /** Queues two players who are proposed a match; the second has accepted it. */
  async function pair(queue: string, round: number): Promise<{ ann: string; bob: string; expiresAt: number }> {
    const [ann, bob] = await Promise.all([enter(queue, `ann${round}`, round), enter(queue, `bob${round}`, round)])
    const proposal = await proposed(ann)
    expect(proposal, `round ${round} was proposed`).toBeDefined()
    expect((await answer(bob, `bob${round}`, 'accept')).status).toBe(200)
    return { ann, bob, expiresAt: Date.parse(proposal?.expires_at ?? '') }
  }

  /** Expects one outcome for both players: both matched, or neither. Returns whether they were matched. */
  async function oneOutcome(ann: string, bob: string): Promise<boolean> {
    const settled = (lobby: LobbyBody) => lobby.proposal === undefined
    const [a, b] = [await until(ann, settled), await until(bob, settled)]
    const matched = a.match_id !== null
    expect([a.match_id === b.match_id, a.status === 'waiting', b.match_id !== null]).toEqual([true, !matched, matched])
    if (!matched) expect(b.status).toBe('in_queue')
    // Lobbies that still wait must not be matched in the next round.
    await cluster.next().call({ method: 'DELETE', path: `/v1/lobbies/${bob}`, key: cluster.serverKey })
    await cluster.next().call({ method: 'DELETE', path: `/v1/lobbies/${ann}`, key: cluster.serverKey })
    return matched
  }

  const races = [
    ['a decline', 'patient', 100_000, (ann: string, player: string) => answer(ann, player, 'decline')],
    [
      'a cancel',
      'patient',
      200_000,
      (ann: string, player: string) =>
        cluster.next().call<LobbyBody>({ method: 'DELETE', path: `/v1/lobbies/${ann}/queue`, player }),
    ],
    ['the deadline', 'duel', 300_000, undefined],
  ] as const

  it.each(races)(
    'the last accept against %s: one outcome, told the same everywhere',
    { timeout: 3_600_000 },
    async (_, queue, base, against) => {
      const random = seeded()
      const all = rounds(1_000)
      const told = { matched: 0, not: 0 }
      for (let done = 0; done < all; done += TOGETHER) {
        const batch = Array.from({ length: Math.min(TOGETHER, all - done) }, async (_, index) => {
          const round = base + done + index
          const { ann, bob, expiresAt } = await pair(queue, round)
          if (against === undefined) await wait(Math.max(0, expiresAt - Date.now() - 150 + random.next() * 170))
          else if (random.next() < 0.5) await wait(random.next() * 20)
          const first = random.next() < 0.5
          const other = () => against?.(ann, `ann${round}`)
          if (first) await Promise.race([other(), wait(random.next() * 10)])
          const [accepted] = await Promise.all([answer(ann, `ann${round}`, 'accept'), first ? undefined : other()])
          if (accepted.status !== 200) expect(accepted.body.code).toBe('NO_PROPOSAL')
          const matched = await oneOutcome(ann, bob)
          expect(matched && accepted.status !== 200, 'a match without the accept that made it').toBe(false)
          told[matched ? 'matched' : 'not']++
        })
        await Promise.all(batch)
      }
      console.log(`seed ${random.seed}: ${told.matched} matched, ${told.not} not`)
      expect(Math.min(told.matched, told.not)).toBeGreaterThan(0)
    },
  )

  const players = Array.from({ length: 100 }, (_, index) => `player${index}`)

  it('a hundred who accept at once make one match, and none of them meets a CONFLICT', {
    timeout: 120_000,
  }, async () => {
    const lobbies = await Promise.all(players.map((player) => enter('crowd', player, 0)))
    const matchId = (await proposed(lobbies[0] ?? ''))?.match_id
    const answers = await Promise.all(lobbies.map((id, index) => answer(id, players[index] ?? '', 'accept')))
    expect(answers.filter(({ status }) => status !== 200)).toEqual([])
    expect(answers.some(({ body }) => body.status === 'matched')).toBe(true)
    for (const lobbyId of lobbies) expect((await get(lobbyId)).match_id).toBe(matchId)
  })

  it('a decline among a hundred puts 99 back, in one commit', { timeout: 120_000 }, async () => {
    const lobbies = await Promise.all(players.map((player) => enter('broken', player, 0)))
    await proposed(lobbies[0] ?? '')
    const others = lobbies.slice(1)
    const accepting = others.slice(0, 60).map((id, index) => answer(id, players[index + 1] ?? '', 'accept'))
    const declined = await answer(lobbies[0] ?? '', players[0] ?? '', 'decline')
    expect(declined.body).toMatchObject({ status: 'waiting', last_exit: { reason: 'declined' } })
    const after = await Promise.all(others.map(get))
    expect(after.filter(({ status, proposal }) => status !== 'in_queue' || proposal !== undefined)).toEqual([])
    for (const { status, body } of await Promise.all(accepting))
      expect(status === 200 || body.code).not.toBe('CONFLICT')
  })
})
