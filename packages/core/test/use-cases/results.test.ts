import type { ResultReport } from '@matchyard/core'
import { expect, it } from 'vitest'
import { codeOf, LATE, lateMatch } from './late-arena'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const TEAMS = [
  { name: 'team_1', rank: 1 },
  { name: 'team_2', rank: 2 },
]
const WON: ResultReport = { teams: TEAMS, players: [{ playerId: 'ann', score: 7, stats: { kills: 3 } }] }
const LOST: ResultReport = { teams: TEAMS.map(({ name, rank }) => ({ name, rank: 3 - rank })) }

/** Returns a running match with short calls that report results of it. */
async function played(...given: Parameters<typeof lateMatch>) {
  const arena = await lateMatch(...given)
  const { matchyard, on } = arena
  const told: string[] = []
  matchyard.events.on('match_resulted', () => told.push('result'))
  matchyard.events.on('match_ended', () => told.push('end'))
  const report = (result: ResultReport, more: { end?: boolean; amend?: boolean } = {}, by = matchyard) =>
    by.matches.result({ ...on, ...result, ...more })
  return { ...arena, told, report }
}

it('a result is recorded once: the same again changes nothing at any time, and another is refused', async () => {
  const { clock, match, report, told } = await played()
  const { match: first } = await report(WON)
  expect(first.result).toEqual({
    teams: TEAMS.map((team) => ({ ...team, score: null })),
    players: [{ playerId: 'ann', score: 7, stats: { kills: 3 }, left: false }],
    completed: true,
    recordedBy: 'backend',
    recordedAt: clock.now(),
    amendedAt: null,
  })
  expect(first.status).toBe('running')
  clock.advance(400 * DAY)
  await report({ ...WON, teams: [...TEAMS].reverse(), completed: true })
  expect(await match()).toEqual(first)
  expect(await codeOf(report(LOST))).toBe('RESULT_EXISTS')
  expect(told).toEqual(['result'])
})

it('a result is amended by a backend within 7 days after the first, and final afterwards', async () => {
  const { clock, match, report, told } = await played()
  const recordedAt = clock.now()
  // To amend a result that does not exist yet is to record it.
  await report(WON, { amend: true })
  clock.advance(7 * DAY)
  await report(LOST, { amend: true })
  expect((await match()).result).toMatchObject({ recordedAt, amendedAt: clock.now(), players: [] })
  clock.advance(1)
  expect(await codeOf(report(WON, { amend: true }))).toBe('RESULT_EXISTS')
  expect(told).toEqual(['result', 'result'])
})

it('a result ends its match in the same commit when it says so, also when it is repeated', async () => {
  const { match, now, matchyard, projectId, report, told } = await played()
  const { version } = await match()
  const { match: ended } = await report(WON, { end: true })
  expect(ended).toMatchObject({ status: 'ended', version: version + 1, ending: { reason: 'backend_ended' } })
  expect(told).toEqual(['result', 'end'])
  for (const { id } of (await matchyard.lobbies.ofProject({ projectId })).data) {
    expect(await now({ lobbyId: id })).toMatchObject({ status: 'waiting', matchId: null })
  }
  const other = await played()
  await other.report(WON)
  await other.report(WON, { end: true })
  expect(other.told).toEqual(['result', 'end'])
  expect(await other.match()).toMatchObject({ status: 'ended', result: { completed: true } })
})

it('a first result is taken until 24 hours after the end', async () => {
  const { clock, matchyard, on, report } = await played()
  await matchyard.matches.end(on)
  clock.advance(24 * HOUR)
  const late = await played()
  await late.matchyard.matches.end(late.on)
  late.clock.advance(24 * HOUR + 1)
  expect(await codeOf(late.report(WON))).toBe('INVALID_MATCH_STATE')
  expect(await codeOf(report(WON))).toBe('ok')
})

it('a match that has not begun, or never began, gets no result', async () => {
  const { matchyard, searching, tick, now, projectId, report } = await played()
  const lobbies = []
  for (const name of ['eve', 'fay', 'gil', 'hal']) lobbies.push(await searching(name))
  await tick()
  const [eve] = lobbies
  if (eve === undefined) throw new Error('four lobbies search')
  const on = { projectId, matchId: (await now(eve)).matchId ?? '' }
  expect(await codeOf(matchyard.matches.result({ ...on, ...WON }))).toBe('INVALID_MATCH_STATE')
  await matchyard.matches.end(on)
  expect(await codeOf(matchyard.matches.end({ ...on, result: LOST }))).toBe('INVALID_MATCH_STATE')
  expect(await codeOf(report(WON))).toBe('ok')
  expect(await codeOf(matchyard.matches.result({ ...on, matchId: 'mat_none', ...WON }))).toBe('MATCH_NOT_FOUND')
})

it('a result names each team of the match and only its players, those who left included', async () => {
  const { matchyard, on, match, report } = await played()
  const issues = (work: Promise<unknown>) =>
    work.then(
      () => [],
      ({ details }) => details.issues.map(({ path }: { path: string }) => path),
    )
  expect(await issues(report({ teams: TEAMS.slice(1) }))).toEqual(['teams'])
  const three = [...TEAMS, { name: 'team_3', rank: 3 }]
  expect(await issues(report({ teams: three }))).toEqual(['teams.2.name'])
  expect(await issues(report({ teams: TEAMS, players: [{ playerId: 'eve' }] }))).toEqual(['players.0.playerId'])
  const result = { teams: TEAMS, players: [{ playerId: 'eve' }] }
  expect(await issues(matchyard.matches.end({ ...on, result }))).toEqual(['result.players.0.playerId'])
  expect(await match()).toMatchObject({ status: 'running' })
  expect((await match()).result).toBeUndefined()
  expect(await codeOf(report({ teams: TEAMS, players: [{ playerId: 'dan', left: true }] }))).toBe('ok')
})

it('a result names its unknown fields with the nearest known one', async () => {
  const { matchyard, on } = await played()
  const result = { ...{ teams: TEAMS.map(({ name }, at) => ({ name, ranks: at + 1 })) }, amend: true } as object
  const refused = matchyard.matches.end({ ...on, result: result as typeof WON })
  await expect(refused).rejects.toMatchObject({
    details: {
      issues: expect.arrayContaining([
        { path: 'result.amend', message: 'is not a known field' },
        { path: 'result.teams.0.ranks', message: 'is not a known field; did you mean rank?' },
      ]),
    },
  })
})

it('a match ends with its result by one call of an embedding application', async () => {
  const { matchyard, on, told } = await played()
  const { match } = await matchyard.matches.end({ ...on, result: WON })
  expect(match).toMatchObject({
    status: 'ended',
    ending: { reason: 'backend_ended' },
    result: { teams: [{ rank: 1 }, {}] },
  })
  expect(told).toEqual(['result', 'end'])
  await matchyard.matches.end({ ...on, result: WON })
  expect(told).toEqual(['result', 'end'])
})

it.each([
  ['another result', LOST, 'RESULT_EXISTS', 2],
  ['the same result', WON, 'ok', 1],
] as const)('a node that loses the race against %s records nothing', async (_, theirs, outcome, rank) => {
  let meanwhile: (() => Promise<unknown>) | undefined
  const { node, match, report, told } = await played(LATE, (storage) => ({
    async commit(commit) {
      // This node has read the match without a result; the other node commits first.
      const first = meanwhile
      meanwhile = undefined
      await first?.()
      return storage.commit(commit)
    },
  }))
  const second = node(2, {})
  meanwhile = () => report(theirs, {}, second)
  expect(await codeOf(report(WON))).toBe(outcome)
  expect(meanwhile).toBeUndefined()
  expect((await match()).result?.teams[0]?.rank).toBe(rank)
  expect(told).toEqual([])
})

it('the erasure of a player leaves the score in the result, without the id and the figures', async () => {
  const { matchyard, projectId, match, report, work } = await played()
  await report(
    { ...WON, players: [...(WON.players ?? []), { playerId: 'bob', score: 1, stats: { kills: 0 } }] },
    { end: true },
  )
  await matchyard.players.erase({ projectId, playerId: 'ann' })
  await work()
  await work()
  expect((await match()).result?.players).toEqual([
    { playerId: '', score: 7, left: false },
    { playerId: 'bob', score: 1, stats: { kills: 0 }, left: false },
  ])
})

it('players see the result without the figures of the game', async () => {
  const { matchyard, on, report } = await played()
  await report(WON)
  const { match } = await matchyard.matches.get({ ...on, backend: false })
  expect(match.result?.players).toEqual([{ playerId: 'ann', score: 7, left: false }])
})
