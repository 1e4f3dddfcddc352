import assert from 'node:assert/strict'
import { type ExitReason, MATCH_STATUSES, type Match } from '@matchyard/core'
import type { MatchQuery, Place } from '@matchyard/core/ports'
import { apply, idsOf, next, remove, store } from './changes'
import { area } from './harness'
import {
  ACCOUNT_ID,
  aBan,
  aBuild,
  aMachine,
  aMatch,
  aMember,
  anAccount,
  anApiKey,
  anInvitation,
  aProblem,
  aProject,
  aQueue,
  aRating,
  aSession,
  PROJECT_ID,
  QUEUE_KEY,
} from './samples'

const endedBy = (reason: ExitReason) => ({ reason, detail: 'over', exitCode: 139, exitSignal: 'SIGSEGV' })

/** Returns the only team of a match, with these players. */
const teamOf = (...playerIds: string[]) => [
  {
    name: 'team_1',
    players: playerIds.map((playerId) => ({ playerId, lobbyId: 'lob_a', role: null, state: {}, leftAt: null })),
  },
]

const it = area('lists')
const page = { limit: 100, offset: 0 }

export const listCases = [
  it('of accounts give those of the installation by id', async ({ storage }) => {
    const before = (await storage.accounts.list(page)).total
    const [c, a, b] = ['acc_zc', 'acc_za', 'acc_zb'].map((id) => anAccount({ id }))
    assert.ok(a && b && c)
    await store(storage, 'account', c, a, b)
    const { total } = await storage.accounts.list({ limit: 1, offset: 0 })
    assert.equal(total, before + 3)
    assert.deepEqual((await storage.accounts.list({ limit: 2, offset: before + 1 })).data, [b, c])
    assert.deepEqual(await storage.accounts.list({ limit: 2, offset: before + 3 }), { total, data: [] })
  }),

  it('of projects give those of an account, oldest first, without the deleted ones', async ({ storage }) => {
    const [a, b, c] = [
      aProject({ createdAt: 2_000, budgetMicroUsd: 100_000_000 }),
      aProject({ createdAt: 1_000 }),
      aProject({ createdAt: 2_000 }),
    ]
    const deleted = aProject({ createdAt: 500, deletedAt: 600 })
    await store(storage, 'project', a, b, c, deleted, aProject({ accountId: 'acc_b' }))
    assert.deepEqual(await storage.projects.list(ACCOUNT_ID, page), { total: 3, data: [b, a, c] })
    assert.deepEqual(await storage.projects.list(ACCOUNT_ID, { limit: 1, offset: 1 }), { total: 3, data: [a] })
    await store(storage, 'project', next(b, { deletedAt: 3_000 }))
    assert.deepEqual(await storage.projects.list(ACCOUNT_ID, page), { total: 2, data: [a, c] })
    assert.deepEqual(idsOf(await storage.projects.listAll(ACCOUNT_ID)), idsOf([deleted, b, a, c]))
  }),

  it('of API keys give those of a project, oldest first, also the revoked ones', async ({ storage }) => {
    const [a, b] = [anApiKey({ createdAt: 2_000 }), anApiKey({ createdAt: 1_000, revokedAt: 1_500 })]
    await store(storage, 'api-key', a, b, anApiKey({ projectId: 'prj_b' }))
    assert.deepEqual(await storage.apiKeys.list(PROJECT_ID, page), { total: 2, data: [b, a] })
    assert.deepEqual(await storage.apiKeys.list(PROJECT_ID, { limit: 1, offset: 1 }), { total: 2, data: [a] })
  }),

  it('of sessions give the open ones of an account and an epoch, newest first', async ({ storage }) => {
    const [accountId, sessionEpoch] = ['acc_sessions', 2]
    const of = { accountId, sessionEpoch }
    const a = aSession({ ...of, id: 'ses_a', createdAt: 3_000 })
    const b = aSession({ ...of, id: 'ses_b', createdAt: 5_000 })
    const c = aSession({ ...of, id: 'ses_c', createdAt: 3_000 })
    const older = aSession({ accountId })
    const foreign = [older, aSession({ ...of, sessionEpoch: 1 }), aSession({ sessionEpoch })]
    const ended = aSession({ ...of, createdAt: 6_000, ended: 'refreshed' })
    await store(storage, 'session', a, b, c, ended, ...foreign)
    const list = (query: { before?: Place; limit?: number }) => storage.sessions.list({ ...of, limit: 100, ...query })
    assert.deepEqual(await list({}), [b, c, a])
    assert.deepEqual(await list({ limit: 1 }), [b])
    assert.deepEqual(await list({ before: b, limit: 1 }), [c])
    assert.deepEqual(await list({ before: c }), [a])
    assert.deepEqual(await storage.sessions.list({ accountId, sessionEpoch: 0, limit: 9 }), [older])
    await store(storage, 'session', next(b, { ended: 'logged_out' }))
    await apply(storage, { writes: [remove('session', c)] })
    assert.deepEqual(await list({}), [a])
  }),

  it('of problems give those of a project by id, and the projects with an open one', async ({ storage }) => {
    const [a, b] = [aProblem(), aProblem({ closedAt: 2_000 })]
    const [elsewhere, closed] = [aProblem({ projectId: 'prj_b' }), aProblem({ projectId: 'prj_c', closedAt: 1 })]
    await store(storage, 'problem', b, a, elsewhere, closed, aProblem({ projectId: 'prj_b' }))
    assert.deepEqual(await storage.problems.ofProject(PROJECT_ID, 10), [a, b])
    assert.deepEqual(await storage.problems.ofProject(PROJECT_ID, 1), [a])
    assert.deepEqual(await storage.problems.projectsWithOpen('', 10), [PROJECT_ID, 'prj_b'])
    assert.deepEqual(await storage.problems.projectsWithOpen(PROJECT_ID, 10), ['prj_b'])
    assert.deepEqual(await storage.problems.projectsWithOpen('', 1), [PROJECT_ID])
    await store(storage, 'problem', next(a, { closedAt: 3_000 }))
    assert.deepEqual(await storage.problems.projectsWithOpen('', 10), ['prj_b'])
  }),

  it('of members give those of a project, and the records of an account, by id', async ({ storage }) => {
    const [eve, ann] = [aMember({ accountId: 'acc_eve' }), aMember({ accountId: 'acc_ann' })]
    const elsewhere = aMember({ projectId: 'prj_b', accountId: 'acc_ann' })
    await store(storage, 'member', eve, ann, elsewhere)
    assert.deepEqual(await storage.members.ofProject(PROJECT_ID, 100), [ann, eve])
    assert.deepEqual(await storage.members.ofProject(PROJECT_ID, 1), [ann])
    assert.deepEqual(await storage.members.ofAccount('acc_ann', 100), [ann, elsewhere])
    assert.deepEqual(await storage.members.ofAccount('acc_ann', 1), [ann])
    assert.deepEqual(await storage.members.ofAccount('acc_nobody', 100), [])
    const changed = next(ann, { role: 'viewer' })
    await store(storage, 'member', changed)
    assert.deepEqual(await storage.members.ofAccount('acc_ann', 100), [changed, elsewhere])
    await apply(storage, { writes: [remove('member', changed)] })
    assert.deepEqual(await storage.members.ofAccount('acc_ann', 100), [elsewhere])
    assert.deepEqual(await storage.members.ofProject(PROJECT_ID, 100), [eve])
  }),

  it('of invitations give those of a project by id, also the expired ones', async ({ storage }) => {
    const [b, a] = [anInvitation({ id: 'inv_b' }), anInvitation({ id: 'inv_a', expiresAt: 1 })]
    await store(storage, 'invitation', b, a, anInvitation({ projectId: 'prj_b' }))
    assert.deepEqual(await storage.invitations.ofProject(PROJECT_ID, 100), [a, b])
    assert.deepEqual(await storage.invitations.ofProject(PROJECT_ID, 1), [a])
    await apply(storage, { writes: [remove('invitation', a)] })
    assert.deepEqual(await storage.invitations.ofProject(PROJECT_ID, 100), [b])
  }),

  it('of queues give those of a project by queue id', async ({ storage }) => {
    const queues = ['zeta', 'a_1', 'a0', 'mid'].map((queueId) => aQueue({ queueId }))
    await store(storage, 'queue', ...queues, aQueue({ projectId: 'prj_b', queueId: 'b' }))
    const { total, data } = await storage.queues.list(PROJECT_ID, page)
    assert.deepEqual([total, data.map(({ queueId }) => queueId)], [4, ['a0', 'a_1', 'mid', 'zeta']])
    const second = await storage.queues.list(PROJECT_ID, { limit: 2, offset: 2 })
    assert.deepEqual([second.total, second.data.map(({ queueId }) => queueId)], [4, ['mid', 'zeta']])
  }),

  it('of queues that ask for warm servers give those of every project by id, and none that asks no more', async ({
    storage,
  }) => {
    const before = idsOf(await storage.queues.listWarm())
    const warm = { serverSettings: { versionTag: 'arena', warm: {} } }
    const [cold, a, c] = [
      aQueue({ queueId: 'cold' }),
      aQueue({ queueId: 'a', ...warm }),
      aQueue({ queueId: 'c', ...warm }),
    ]
    const b = aQueue({ projectId: 'prj_b', queueId: 'b', ...warm })
    await store(storage, 'queue', cold, c, b, a)
    const added = async () => idsOf(await storage.queues.listWarm()).filter((id) => !before.includes(id))
    assert.deepEqual(await added(), [a.id, c.id, b.id].sort())
    const changed = [next(c, { serverSettings: null }), next(cold, warm)] as const
    await store(storage, 'queue', ...changed)
    assert.deepEqual(await added(), [a.id, cold.id, b.id].sort())
    assert.deepEqual(
      (await storage.queues.listWarm()).find(({ id }) => id === cold.id),
      changed[1],
    )
  }),

  it('of builds give those of a project, newest first, filtered, the deleted ones only when asked for', async (subject) => {
    const { storage } = subject
    const a = aBuild({ createdAt: 1_000 })
    const b = aBuild({ createdAt: 2_000, buildVersion: 2, status: 'failed' })
    const c = aBuild({ createdAt: 2_000, name: 'other', type: 'docker_image' })
    const gone = aBuild({ createdAt: 3_000, buildVersion: 3, status: 'deleted' })
    await store(storage, 'build', a, b, c, gone, aBuild({ projectId: 'prj_b' }))
    const list = async (filter: object) => {
      const { total, data } = await storage.builds.list({ projectId: PROJECT_ID, ...page, ...filter })
      assert.equal(total, data.length)
      return idsOf(data)
    }
    assert.deepEqual(await list({}), idsOf([c, b, a]))
    assert.deepEqual(await list({ name: 'arena' }), idsOf([b, a]))
    assert.deepEqual(await list({ status: 'ready' }), idsOf([c, a]))
    assert.deepEqual(await list({ status: 'deleted' }), idsOf([gone]))
    assert.deepEqual(await list({ type: 'docker_image' }), idsOf([c]))
    assert.deepEqual(await list({ type: 'zip', name: 'arena', status: 'failed' }), idsOf([b]))
    const window = await storage.builds.list({ projectId: PROJECT_ID, limit: 1, offset: 1 })
    assert.deepEqual([window.total, idsOf(window.data)], [3, idsOf([b])])
  }),

  it('name the newest ready build of a name by its version', async ({ storage }) => {
    assert.equal(await storage.builds.newestReady(PROJECT_ID, 'arena'), undefined)
    // A higher version may have an earlier registration time, and version 10 comes after 9.
    const ten = aBuild({ buildVersion: 10, createdAt: 500 })
    const nine = aBuild({ buildVersion: 9 })
    const failed = aBuild({ buildVersion: 11, status: 'failed' })
    await store(storage, 'build', ten, nine, failed, aBuild({ buildVersion: 12, name: 'other' }))
    assert.deepEqual(await storage.builds.newestReady(PROJECT_ID, 'arena'), ten)
    const disabled = next(ten, { disabled: true })
    await store(storage, 'build', disabled)
    assert.deepEqual(await storage.builds.newestReady(PROJECT_ID, 'arena'), nine)
    const enabled = next(disabled, { disabled: false })
    await store(storage, 'build', enabled)
    assert.deepEqual(await storage.builds.newestReady(PROJECT_ID, 'arena'), enabled)
    await store(storage, 'build', next(enabled, { status: 'deleted' }))
    assert.deepEqual(await storage.builds.newestReady(PROJECT_ID, 'arena'), nine)
    assert.equal(await storage.builds.newestReady('prj_b', 'arena'), undefined)
  }),

  it('of bans give those of a project, newest first and after a place, also those that ended', async ({ storage }) => {
    const [a, b, c] = [
      aBan({ createdAt: 1_000, until: 1_500 }),
      aBan({ createdAt: 2_000, queues: ['ranked'] }),
      aBan({ createdAt: 2_000, playerId: null }),
    ].sort((x, y) => x.createdAt - y.createdAt || (x.id < y.id ? -1 : 1))
    assert.ok(a && b && c)
    await store(storage, 'ban', b, a, c, aBan({ projectId: 'prj_b' }))
    const list = (parts: object) => storage.bans.list({ projectId: PROJECT_ID, limit: 10, ...parts })
    assert.deepEqual(await list({}), [c, b, a])
    assert.deepEqual(await list({ limit: 2 }), [c, b])
    assert.deepEqual(await list({ limit: 2, offset: 1 }), [b, a])
    assert.deepEqual(await list({ before: { createdAt: c.createdAt, id: c.id }, offset: 1 }), [a])
    assert.deepEqual(await list({ before: { createdAt: c.createdAt, id: c.id } }), [b, a])
    const later = next(b, { createdAt: 3_000 })
    await store(storage, 'ban', later)
    assert.deepEqual(await list({}), [later, c, a])
    await apply(storage, { writes: [remove('ban', c)] })
    assert.deepEqual(await list({}), [later, a])
  }),

  it('of ratings give those of a project by rating id', async ({ storage }) => {
    const [a, b, c] = ['a', 'b', 'c'].map((ratingId) => aRating({ ratingId }))
    assert.ok(a && b && c)
    await store(storage, 'rating', c, a, b, aRating({ projectId: 'prj_b' }))
    assert.deepEqual(await storage.ratings.list(PROJECT_ID, { limit: 2, offset: 0 }), { total: 3, data: [a, b] })
    assert.deepEqual(await storage.ratings.list(PROJECT_ID, { limit: 2, offset: 2 }), { total: 3, data: [c] })
    await apply(storage, { writes: [remove('rating', b)] })
    assert.deepEqual(await storage.ratings.list(PROJECT_ID, { limit: 9, offset: 0 }), { total: 2, data: [a, c] })
  }),

  it('of machines are by id, and follow each change', async ({ storage }) => {
    const [first, second, third] = [aMachine({ id: 'fra-1' }), aMachine({ id: 'fra-2' }), aMachine({ id: 'fra-3' })]
    await store(storage, 'machine', third, first, second)
    assert.deepEqual(await storage.machines.list(9), [first, second, third])
    assert.deepEqual(await storage.machines.list(2), [first, second])
    const cordoned = { ...first, version: 2, status: 'cordoned' as const }
    await store(storage, 'machine', cordoned)
    await apply(storage, { writes: [remove('machine', third)] })
    assert.deepEqual(await storage.machines.list(9), [cordoned, second])
  }),

  it('of ended bans give the first to end first, of one project or of all', async ({ storage }) => {
    const [early, late, open] = [aBan({ until: 2_000 }), aBan({ until: 3_000 }), aBan()]
    const foreign = aBan({ projectId: 'prj_b', until: 2_500 })
    await store(storage, 'ban', late, open, foreign, early, aBan({ until: 3_001 }))
    const ended = (parts: object) => storage.bans.listEnded({ until: 3_000, limit: 10, ...parts })
    assert.deepEqual(await ended({ projectId: PROJECT_ID }), [early, late])
    assert.deepEqual(await ended({}), [early, foreign, late])
    assert.deepEqual(await ended({ limit: 1 }), [early])
    assert.deepEqual(await ended({ until: 1_999 }), [])
    const prolonged = next(early, { until: null })
    await store(storage, 'ban', prolonged)
    assert.deepEqual(await ended({ projectId: PROJECT_ID }), [late])
  }),

  it('of ended matches give ids, versions and projects, the first to end first', async ({ storage }) => {
    const endedAt = (at: number, parts: object = {}) => aMatch({ status: 'ended', endedAt: at, ...parts })
    const [early, late, foreign] = [endedAt(2_000), endedAt(3_000), endedAt(2_500, { projectId: 'prj_b' })]
    await store(storage, 'match', late, foreign, early, endedAt(3_001), aMatch())
    const ended = (limit = 10, until = 3_000) => storage.matches.listEnded({ until, limit })
    const named = (...matches: Match[]) => matches.map(({ id, version, projectId }) => ({ id, version, projectId }))
    assert.deepEqual(await ended(), named(early, foreign, late))
    assert.deepEqual(await ended(1), named(early))
    assert.deepEqual(await ended(10, 1_999), [])
    const amended = next(early, {})
    await store(storage, 'match', amended)
    assert.deepEqual(await ended(1), named(amended))
    await apply(storage, { writes: [remove('match', amended)] })
    assert.deepEqual(await ended(), named(foreign, late))
    assert.deepEqual(await storage.matches.ofPlayer(PROJECT_ID, 'ann', 10), [])
  }),

  it('of recent matches give those of a queue since an instant, newest first', async ({ storage }) => {
    const [old, edge, mid, fresh] = [500, 1_000, 2_000, 3_000].map((createdAt) => aMatch({ createdAt }))
    assert.ok(old && edge && mid && fresh)
    await store(storage, 'match', old, edge, mid, fresh, aMatch({ queueId: 'casual', createdAt: 4_000 }))
    assert.deepEqual(await storage.matches.listRecent(QUEUE_KEY, 1_000, 10), [fresh, mid, edge])
    assert.deepEqual(await storage.matches.listRecent(QUEUE_KEY, 1_000, 2), [fresh, mid])
    assert.deepEqual(await storage.matches.listRecent('prj_a/none', 0, 10), [])
  }),

  it('of matches give those of a project, newest first and after a place, by queue and status', async ({ storage }) => {
    const asked = { expiresAt: 9_000, penaltySeconds: 0, spreadAt: null }
    const settled = (outcome: 'accepted' | 'declined') => ({ ...asked, settled: { outcome, version: 1 } })
    const all = Array.from({ length: 40 }, (_, n) =>
      aMatch({
        queueId: n % 3 === 0 ? 'casual' : 'ranked',
        status: MATCH_STATUSES[n % 4] ?? 'running',
        createdAt: 1_000 + (n % 9),
        ...(n % 8 === 7 ? { proposal: settled('accepted') } : {}),
        ...(n % 4 === 0 ? { proposal: { ...asked, settled: null } } : {}),
        ...(n % 4 === 3 ? { ending: endedBy(n % 3 === 0 ? 'server_failed' : 'match_ended') } : {}),
        ...(n % 5 < 2 ? { teams: teamOf('ann', 'bob') } : {}),
        ...(n % 3 < 2 ? { build: { id: `bld_${n % 2}`, versionTag: 'arena', buildVersion: 1 } } : {}),
      }),
    )
    const never = aMatch({ status: 'ended', proposal: settled('declined'), createdAt: 1_004 })
    await store(storage, 'match', ...all, never, aMatch({ projectId: 'prj_b' }))
    const newest = (a: Match, b: Match) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1)
    const walk = async (filter: Omit<MatchQuery, 'projectId' | 'limit' | 'before'>, limit: number) => {
      const found: Match[] = []
      for (;;) {
        const last = found.at(-1)
        const query = { projectId: PROJECT_ID, ...filter, limit }
        const before = last && { createdAt: last.createdAt, id: last.id }
        const page = await storage.matches.list(before === undefined ? query : { ...query, before })
        if (page.length === 0) return found
        found.push(...page)
        assert.ok(found.length <= all.length, 'the same matches come again')
      }
    }
    for (const queueId of [undefined, 'casual', 'none'])
      for (const status of [undefined, ...MATCH_STATUSES])
        for (const limit of [1, 6, 100]) {
          const filter = { ...(queueId !== undefined && { queueId }), ...(status !== undefined && { status }) }
          const fits = (match: Match) =>
            (queueId === undefined || match.queueId === queueId) && (status === undefined || match.status === status)
          const expected = all.filter(fits).sort(newest)
          assert.deepEqual(await walk(filter, limit), expected, JSON.stringify([filter, limit]))
        }
    for (const endReason of ['server_failed', 'match_ended', 'no_room'] as const)
      for (const filter of [{}, { queueId: 'casual' }, { status: 'ended' as const }, { status: 'running' as const }]) {
        const fits = (match: Match) =>
          match.ending?.reason === endReason &&
          Object.entries(filter).every(([name, value]) => match[name as keyof Match] === value)
        assert.deepEqual(await walk({ ...filter, endReason }, 3), all.filter(fits).sort(newest))
      }
    for (const filter of [
      {},
      { queueId: 'casual' },
      { status: 'ended' as const },
      { endReason: 'match_ended' as const },
    ]) {
      const { endReason, ...fields } = { endReason: undefined, ...filter }
      const fits = (match: Match) =>
        match.teams.some(({ players }) => players.some(({ playerId }) => playerId === 'ann')) &&
        (endReason === undefined || match.ending?.reason === endReason) &&
        Object.entries(fields).every(([name, value]) => match[name as keyof Match] === value)
      const expected = all.filter(fits).sort(newest)
      assert.deepEqual(await walk({ ...filter, playerId: 'ann' }, 3), expected, JSON.stringify(filter))
    }
    assert.deepEqual(await walk({ playerId: 'eve' }, 3), [])
    for (const filter of [
      {},
      { queueId: 'casual' },
      { status: 'ended' as const },
      { status: 'running' as const },
      { endReason: 'match_ended' as const },
      { endReason: 'match_ended' as const, status: 'running' as const },
      { endReason: 'match_ended' as const, queueId: 'casual' },
      { playerId: 'ann' },
      { playerId: 'ann', endReason: 'server_failed' as const },
    ])
      for (const more of [{ buildId: 'bld_1' }, { buildId: 'bld_1', from: 1_004 }, { from: 1_004 }]) {
        const { endReason, playerId, buildId, from, ...fields } = {
          ...{ endReason: undefined, playerId: undefined, buildId: undefined, from: 0 },
          ...filter,
          ...more,
        }
        const fits = (match: Match) =>
          match.createdAt >= from &&
          (buildId === undefined || match.build?.id === buildId) &&
          (playerId === undefined ||
            match.teams.some(({ players }) => players.some((one) => one.playerId === playerId))) &&
          (endReason === undefined || match.ending?.reason === endReason) &&
          Object.entries(fields).every(([name, value]) => match[name as keyof Match] === value)
        const asked = { ...filter, ...more }
        assert.deepEqual(await walk(asked, 3), all.filter(fits).sort(newest), JSON.stringify(asked))
      }
    assert.deepEqual(await walk({ buildId: 'bld_none' }, 3), [])
    const changed = next(all[2] ?? aMatch(), { status: 'ended', endedAt: 5_000 })
    await store(storage, 'match', changed)
    assert.ok((await walk({ status: 'ended' }, 100)).some(({ id, version }) => id === changed.id && version === 2))
    assert.ok((await walk({ status: 'running' }, 100)).every(({ id }) => id !== changed.id))
  }),

  it('find the matches in which a player is or was, newest first, until nothing in them says so', async ({
    storage,
  }) => {
    const [old, young] = [1_000, 2_000].map((createdAt) => aMatch({ createdAt, teams: teamOf('ann', 'bob') }))
    assert.ok(old && young)
    const others = [aMatch({ teams: teamOf('bob') }), aMatch({ projectId: 'prj_b', teams: teamOf('ann') }), aMatch()]
    await store(storage, 'match', young, old, ...others)
    const of = (playerId: string, limit = 10) => storage.matches.ofPlayer(PROJECT_ID, playerId, limit)
    assert.deepEqual(await of('ann'), [young, old])
    assert.deepEqual(await of('ann', 1), [young])
    const changed = next(young, { teams: teamOf('', 'bob') })
    await store(storage, 'match', changed)
    assert.deepEqual(await of('ann'), [old])
    assert.equal((await of('bob')).length, 3)
    assert.deepEqual(await of(''), [])
    const seat = { playerId: 'eve', team: 'team_1', role: null, keptBy: 'cat', expiresAt: 9_000 }
    const keeping = next(old, { teams: teamOf('bob'), keptSeats: [seat] })
    await store(storage, 'match', keeping)
    assert.deepEqual([await of('eve'), await of('cat')], [[keeping], [keeping]])
    const { keptSeats: _, ...freed } = next(keeping, {})
    await store(storage, 'match', freed)
    assert.deepEqual([await of('eve'), await of('cat')], [[], []])
  }),
]
