import { expect, it } from 'vitest'
import { LATE, lateMatch } from './late-arena'
import { twoNodes } from './two-nodes'

const TEAMS = ['team_1', 'team_2'] as const

async function arena() {
  const { matchyard, other, projectId } = await twoNodes()
  const rating = { projectId, ratingId: 'ladder' }
  await matchyard.ratings.set({ ...rating, name: 'Ladder', placementMatches: 0 })
  const queue = { queueId: 'duel', name: 'Duel', rating: 'ladder', matchmaking: { teams: 2, playersPerTeam: 1 } }
  await matchyard.queues.create({ projectId, ...queue })
  /** Plays a match of ann and bob, and returns it with the names of their teams. */
  const play = async () => {
    for (const playerId of ['ann', 'bob']) {
      const { id: lobbyId } = await matchyard.lobbies.create({ projectId, queueId: 'duel', playerId })
      await matchyard.lobbies.enqueue({ projectId, lobbyId, playerId })
    }
    await matchyard.matchmaking.runQueue(`${projectId}/duel`)
    await matchyard.worker.runDueJobs()
    const { data } = await matchyard.matches.list({ projectId, status: 'running' })
    const match = data[0]?.match
    if (match === undefined) throw new Error('a match was made')
    const teamOf = (playerId: string) =>
      match.teams.find(({ players }) => players.some((player) => player.playerId === playerId))?.name
    return { match, ann: teamOf('ann') }
  }
  const won = (winner: string | undefined) => ({
    teams: TEAMS.map((name) => ({ name, rank: name === winner ? 1 : 2 })),
  })
  const standing = async (playerId: string) =>
    (await matchyard.ratings.ofPlayer({ projectId, playerId })).data.map(({ mu, matches }) => ({ mu, matches }))[0]
  return { matchyard, other, projectId, rating, play, won, standing }
}

it('counts the result of a match once, however often it is sent, and shows how even the match was', async () => {
  const { matchyard, projectId, rating, play, won, standing } = await arena()
  const { match, ann } = await play()
  expect(match.quality?.winProbability.map((chance) => Math.round(chance * 100))).toEqual([50, 50])
  const report = { projectId, matchId: match.id, ...won(ann) }
  await matchyard.matches.result(report)
  const after = [await standing('ann'), await standing('bob')]
  expect(after[0]?.mu).toBeGreaterThan(25)
  expect(after[1]?.mu).toBeLessThan(25)
  await matchyard.matches.result(report)
  await matchyard.matches.result({ ...report, end: true })
  expect([await standing('ann'), await standing('bob')]).toEqual(after)
  const { data } = await matchyard.ratings.leaderboard(rating)
  expect(data.map(({ playerId, rank }) => [playerId, rank])).toEqual([
    ['ann', 1],
    ['bob', 2],
  ])
  expect((await matchyard.ratings.calibration(rating)).matches).toBe(1)
})

it('counts an amended result in place of the first, and takes back one that does not count', async () => {
  const { matchyard, projectId, rating, play, won, standing } = await arena()
  const { match, ann } = await play()
  const report = { projectId, matchId: match.id }
  await matchyard.matches.result({ ...report, ...won(ann), end: true })
  const winner = await standing('ann')
  const loser = await standing('bob')
  const bob = TEAMS.find((name) => name !== ann)
  await matchyard.matches.result({ ...report, ...won(bob), amend: true })
  expect((await standing('bob'))?.mu).toBeCloseTo(winner?.mu ?? 0, 9)
  expect((await standing('ann'))?.mu).toBeCloseTo(loser?.mu ?? 0, 9)
  await matchyard.matches.result({ ...report, ...won(bob), completed: false, amend: true })
  expect((await standing('ann'))?.mu).toBeCloseTo(25, 9)
  expect(await standing('bob')).toMatchObject({ matches: 0 })
  expect((await matchyard.ratings.calibration(rating)).matches).toBe(0)
})

it('counts one of two results that two nodes record at once', async () => {
  const { matchyard, other, projectId, play, won, standing } = await arena()
  const { match, ann } = await play()
  const report = { projectId, matchId: match.id }
  const bob = TEAMS.find((name) => name !== ann)
  const outcomes = await Promise.allSettled([
    matchyard.matches.result({ ...report, ...won(ann) }),
    other.matches.result({ ...report, ...won(bob) }),
  ])
  expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  const [first, second] = [await standing('ann'), await standing('bob')]
  expect([first?.matches, second?.matches]).toEqual([1, 1])
  expect((first?.mu ?? 0) + (second?.mu ?? 0)).toBeCloseTo(50, 9)
})

it('writes the rating into the state when a player searches again', async () => {
  const { matchyard, projectId, play, won } = await arena()
  const { match, ann } = await play()
  await matchyard.matches.result({ projectId, matchId: match.id, ...won(ann), end: true })
  const { id: lobbyId } = await matchyard.lobbies.create({ projectId, queueId: 'duel', playerId: 'ann' })
  const { players } = await matchyard.lobbies.enqueue({ projectId, lobbyId, playerId: 'ann' })
  expect(players[0]?.state.mmr).toBeGreaterThan(1_500)
  expect(players[0]?.state.mmr_uncertainty).toBeLessThan(500)
})

it('writes the rating into the states of players who join a running match', async () => {
  const late = await lateMatch({ ...LATE, backfill: { automatic: true, timeoutSeconds: 60 } })
  const { matchyard, projectId, queueId, keep, lobby, join, match, searching, tick, clock, now } = late
  await matchyard.ratings.set({ projectId, ratingId: 'ladder', name: 'Ladder' })
  await matchyard.queues.update({ projectId, queueId, changes: { rating: 'ladder' } })
  const stateOf = async (playerId: string) =>
    (await match()).teams.flatMap(({ players }) => players).find((player) => player.playerId === playerId)?.state
  const rated = { hat: 'red', mmr: 1_500, mmr_uncertainty: 500 }
  await keep('eve', 'cat')
  const eve = await lobby('eve', { state: { hat: 'red' } })
  await join(eve)
  expect(await stateOf('eve')).toEqual(rated)
  expect((await now(eve)).players[0]?.state).toEqual(rated)
  await matchyard.lobbies.leave(eve)
  await searching('fay', { state: { hat: 'red' } })
  clock.advance(1_000)
  await tick()
  expect(await stateOf('fay')).toEqual(rated)
})
