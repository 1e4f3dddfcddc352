import { afterEach, beforeEach, expect, it } from 'vitest'
import { type Game, startGame } from './support/game'

let game: Game

beforeEach(async () => {
  game = await startGame(['duel'])
})
afterEach(() => game.stop())

it('a game reads its own ratings, a page of a leaderboard, and the players around its own', async () => {
  const { matchyard, projectId } = game
  await matchyard.ratings.set({ projectId, ratingId: 'duel', name: 'Duel', placementMatches: 1 })
  await matchyard.queues.update({ projectId, queueId: 'duel', changes: { rating: 'duel' } })
  const [ann, bob] = [game.client('ann'), game.client('bob / 2')]
  expect(await ann.ratings.of()).toEqual([])
  await game.together(ann, bob, 'duel')
  const { id: matchId, current } = await ann.play('duel')
  const ranks = current.teams.map(({ name, players }) => ({ name, rank: players[0]?.player_id === 'ann' ? 1 : 2 }))
  await matchyard.matches.result({ projectId, matchId, teams: ranks, end: true })

  const mine = { player_id: 'ann', rating_id: 'duel', matches: 1, placed: true, rank: 1 }
  expect(await ann.ratings.of()).toMatchObject([mine])
  expect(await ann.ratings.of('bob / 2')).toMatchObject([{ player_id: 'bob / 2', rank: 2 }])
  const first = await bob.ratings.leaderboard('duel', { limit: 1 })
  expect(first).toMatchObject({ total: 2, data: [mine], next_cursor: expect.any(String) })
  const rest = await bob.ratings.leaderboard('duel', { limit: 1, cursor: first.next_cursor ?? '' })
  expect(rest).toMatchObject({ data: [{ player_id: 'bob / 2' }] })
  expect(rest.next_cursor).toBeUndefined()
  expect((await bob.ratings.around('duel')).map(({ player_id }) => player_id)).toEqual(['ann', 'bob / 2'])
  expect(await bob.ratings.around('duel', 'nobody')).toEqual([])
  expect(await bob.ratings.leaderboard('duel', { placement: true })).toMatchObject({ total: 0, data: [] })

  await matchyard.ratings.startSeason({ projectId, ratingId: 'duel', name: 'Spring', keep: 0.5 })
  expect(await ann.ratings.around('duel')).toEqual([])
  expect(await ann.ratings.around('duel', 'ann', { season: '' })).toHaveLength(2)
})
