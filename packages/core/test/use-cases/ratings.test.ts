import { describe, expect, it } from 'vitest'
import { qualityOf } from '../../src/reads/rating-of-match'
import { requireQueue } from '../../src/reads/require'
import { matchOf, ranked, ratedArena } from './rated'

const codeOf = (code: string) => expect.objectContaining({ code })
const invalid = (path: string) =>
  expect.objectContaining({ code: 'VALIDATION_FAILED', details: { issues: [expect.objectContaining({ path })] } })

describe('a rating', () => {
  it('shows all its settings with their defaults, and keeps its model and initial skill once a match counted', async () => {
    const { matchyard, rating, play } = await ratedArena({ params: { beta: 4 } })
    expect(await matchyard.ratings.get(rating)).toMatchObject({
      model: 'plackettLuce',
      params: { beta: 4, tau: 25 / 300, limitSigma: false },
      initial: { mu: 25, sigma: 8.333 },
      display: { base: 1_500, perSigma: 500 },
    })
    const set = (wish: object) => matchyard.ratings.set({ ...rating, name: 'R', ...wish })
    await set({ model: 'bradleyTerryFull', initial: { mu: 30 } })
    await set({})
    await play(matchOf(['ann'], ['bob']), ranked(1, 2))
    await expect(set({ model: 'bradleyTerryFull' })).rejects.toEqual(invalid('model'))
    await expect(set({ initial: { sigma: 9 } })).rejects.toEqual(invalid('initial'))
    expect(await set({ display: { base: 0 }, params: { tau: 0 } })).toMatchObject({
      display: { base: 0, perSigma: 500 },
    })
  })

  it.each([
    ['model', { model: 'elo' }],
    ['name', { name: '' }],
    ['initial.sigma', { initial: { sigma: 0 } }],
    ['initial.mu', { initial: { mu: Number.NaN } }],
    ['placementMatches', { placementMatches: 101 }],
    ['params.gamma', { params: { gamma: 1 } }],
  ])('is refused for a wrong %s', async (path, wish) => {
    const { matchyard, rating } = await ratedArena()
    await expect(matchyard.ratings.set({ ...rating, name: 'R', ...wish } as never)).rejects.toEqual(invalid(path))
  })

  it('stays while a queue names it, and is named only where it exists', async () => {
    const { matchyard, projectId, rating } = await ratedArena()
    await expect(matchyard.ratings.delete(rating)).rejects.toEqual(codeOf('RATING_IN_USE'))
    const change = (changes: object) => matchyard.queues.update({ projectId, queueId: 'duel', changes })
    await expect(change({ rating: 'nope' })).rejects.toEqual(codeOf('RATING_NOT_FOUND'))
    await expect(change({ rating: 'NO' })).rejects.toEqual(invalid('rating'))
    const other = { projectId, queueId: 'other', name: 'O', rating: 'nope' }
    await expect(matchyard.queues.create(other)).rejects.toEqual(codeOf('RATING_NOT_FOUND'))
    await change({ rating: null })
    await matchyard.ratings.delete(rating)
    await expect(matchyard.ratings.get(rating)).rejects.toEqual(codeOf('RATING_NOT_FOUND'))
    const { data } = await matchyard.queues.history({ projectId, queueId: 'duel' })
    const version = data.at(-1)?.version ?? 0
    await expect(matchyard.queues.restore({ projectId, queueId: 'duel', version })).rejects.toEqual(
      codeOf('RATING_NOT_FOUND'),
    )
  })

  it('is freed by the deletion of its last queue', async () => {
    const { matchyard, projectId, rating } = await ratedArena()
    await matchyard.queues.delete({ projectId, queueId: 'duel' })
    await matchyard.ratings.delete(rating)
  })

  it('that is deleted and created again begins without standings, and the old ones are removed', async () => {
    const { matchyard, projectId, rating, play, standing, settle, storage, clock } = await ratedArena()
    await play(matchOf(['ann'], ['bob']), ranked(1, 2))
    await matchyard.queues.delete({ projectId, queueId: 'duel' })
    await matchyard.ratings.delete(rating)
    clock.advance(1)
    await matchyard.ratings.set({ ...rating, name: 'Again' })
    expect(await standing('ann')).toBeUndefined()
    await settle()
    expect(await storage.standings.ofPlayer(projectId, 'ann', 9)).toEqual([])
  })

  it('is at most one of a hundred', async () => {
    const { matchyard, projectId } = await ratedArena()
    for (let n = 1; n < 100; n++) await matchyard.ratings.set({ projectId, ratingId: `r${n}`, name: 'R' })
    const more = matchyard.ratings.set({ projectId, ratingId: 'more', name: 'R' })
    await expect(more).rejects.toEqual(codeOf('PLAN_LIMIT_EXCEEDED'))
  })
})

describe('a leaderboard', () => {
  it('lists those in placement apart, and goes on by cursor and around a player', async () => {
    const { play, board, onBoard } = await ratedArena({ placementMatches: 2 })
    for (let n = 0; n < 15; n++) {
      await play(matchOf([`w${n + 10}`], [`l${n + 10}`]), ranked(1, 2))
      if (n > 0) await play(matchOf([`w${n + 10}`], [`l${n + 10}`]), ranked(1, 2))
    }
    expect(await onBoard({ placement: true })).toEqual(['w10', 'l10'])
    expect((await board({ placement: true })).data).toMatchObject([{ rank: null, placed: false }, { rank: null }])
    const first = await board({ limit: 10 })
    expect(first).toMatchObject({ total: 28, nextCursor: expect.any(String) })
    const second = await board({ limit: 30, cursor: first.nextCursor })
    expect(second.nextCursor).toBeNull()
    const all = [...first.data, ...second.data]
    expect(all.map(({ rank }) => rank)).toEqual(all.map((_, index) => index + 1))
    const around = await board({ around: 'w20' })
    expect(around.data).toEqual(all.slice(0, 20))
    expect(await onBoard({ around: 'w10' })).toEqual([])
    expect(await onBoard({ around: 'w10', placement: true })).toEqual(['w10', 'l10'])
  })

  it.each([
    ['cursor', { cursor: 'x' }],
    ['cursor', { cursor: `${'0'.repeat(16)}0061`, around: 'ann' }],
    ['season', { season: 'nope' }],
  ])('refuses a wrong %s', async (path, query) => {
    const { board } = await ratedArena()
    await expect(board(query)).rejects.toEqual(invalid(path))
  })
})

describe('a season', () => {
  it('begins with those who play in it; the last one keeps its board, and reading derives without writing', async () => {
    const { matchyard, rating, play, standing, onBoard, clock } = await ratedArena()
    await play(matchOf(['ann'], ['bob']), ranked(1, 2))
    const { mu, sigma } = (await standing('ann')) ?? { mu: 0, sigma: 0 }
    clock.advance(1_000)
    const spring = await matchyard.ratings.startSeason({ ...rating, name: 'Spring', keep: 0.5 })
    expect(spring).toEqual({ name: 'Spring', keep: 0.5, startedAt: clock.now() })
    const derived = { mu: mu + 0.5 * (25 - mu), sigma: sigma + 0.5 * (8.333 - sigma), season: 'Spring', matches: 0 }
    expect(await standing('ann')).toMatchObject({ ...derived, rank: null })
    expect(await onBoard()).toEqual([])
    await play(matchOf(['ann'], ['cid']), ranked(1, 2))
    expect(await onBoard()).toEqual(['ann', 'cid'])
    expect(await onBoard({ season: '' })).toEqual(['ann', 'bob'])
    expect(await onBoard({ season: '', around: 'bob' })).toEqual(['ann', 'bob'])
    expect(await onBoard({ around: 'bob' })).toEqual([])
    const seasons = await matchyard.ratings.seasons(rating)
    expect(seasons).toEqual({ total: 1, data: [spring] })
  })

  it('has a name of its own and a share from 0 to 1', async () => {
    const { matchyard, rating } = await ratedArena()
    const start = (season: object) => matchyard.ratings.startSeason({ ...rating, name: 'S', keep: 1, ...season })
    await start({})
    await expect(start({})).rejects.toEqual(invalid('name'))
    await expect(start({ name: 'T', keep: 1.1 })).rejects.toEqual(invalid('keep'))
    for (let n = 1; n < 200; n++) await start({ name: `${n}` })
    await expect(start({ name: 'one too many' })).rejects.toEqual(invalid('name'))
  })
})

describe('a player', () => {
  it('who enters a rated queue gets the rating of the record in place of any other value', async () => {
    const { matchyard, projectId, play, standing, clock, rating } = await ratedArena()
    await play(matchOf(['ann'], ['bob']), ranked(1, 2))
    const create = (playerId: string, state: object, client?: object) =>
      matchyard.lobbies.create({ projectId, queueId: 'duel', playerId, state: state as never, ...(client as object) })
    const client = { client: { proven: {} } }
    await expect(create('ann', { mmr: 9_999 }, client)).rejects.toEqual(codeOf('PLAYER_STATE_FORBIDDEN'))
    await expect(create('ann', { mmr_uncertainty: 1 }, client)).rejects.toEqual(codeOf('PLAYER_STATE_FORBIDDEN'))
    const { id: lobbyId } = await create('ann', { mmr: 9_999, hat: 'red' })
    const on = { projectId, lobbyId, playerId: 'ann' }
    const { value } = (await standing('ann')) ?? { value: 0 }
    expect(value).toBeGreaterThan(1_500)
    const entered = await matchyard.lobbies.enqueue(on)
    expect(entered.players[0]?.state).toMatchObject({ hat: 'red', mmr: value, mmr_uncertainty: expect.any(Number) })
    expect(entered.players[0]?.proven).toEqual(['mmr', 'hat', 'mmr_uncertainty'])
    const { id } = await create('new', {})
    const first = await matchyard.lobbies.enqueue({ projectId, lobbyId: id, playerId: 'new' })
    expect(first.players[0]?.state).toEqual({ mmr: 1_500, mmr_uncertainty: 500 })
    expect(await standing('new')).toBeUndefined()
    await matchyard.lobbies.cancelMatchmaking(on)
    clock.advance(1_000)
    await matchyard.ratings.startSeason({ ...rating, name: 'Spring', keep: 0 })
    expect((await matchyard.lobbies.enqueue(on)).players[0]?.state).toMatchObject({ mmr: 1_500, mmr_uncertainty: 500 })
  })

  it('who starts directly gets it only where such matches count', async () => {
    const { matchyard, projectId } = await ratedArena()
    const started = async () => {
      const { id: lobbyId } = await matchyard.lobbies.create({
        projectId,
        queueId: 'duel',
        playerId: 'ann',
        state: { mmr: 7 },
      })
      const lobby = await matchyard.lobbies.start({ projectId, lobbyId, playerId: 'ann' })
      await matchyard.lobbies.delete({ projectId, lobbyId, backend: true })
      return lobby.players[0]?.state.mmr
    }
    expect(await started()).toBe(7)
    await matchyard.queues.update({ projectId, queueId: 'duel', changes: { ratedStarts: true } })
    expect(await started()).toBe(1_500)
  })

  it('who is erased leaves every board', async () => {
    const { matchyard, projectId, rating, play, board, standing, settle } = await ratedArena()
    await play(matchOf(['ann'], ['bob']), ranked(1, 2))
    await matchyard.ratings.startSeason({ ...rating, name: 'Spring', keep: 1 })
    await play(matchOf(['ann'], ['bob']), ranked(1, 2))
    await matchyard.players.erase({ projectId, playerId: 'ann' })
    await settle()
    expect(await standing('ann')).toBeUndefined()
    for (const season of ['', 'Spring'])
      expect(await board({ season })).toMatchObject({ total: 1, data: [{ playerId: 'bob' }] })
  })

  it('is found with the standings, and with none where there is no record', async () => {
    const { matchyard, projectId, play } = await ratedArena()
    await play(matchOf(['ann'], ['bob']), ranked(1, 2))
    const { ratings } = await matchyard.players.find({ projectId, playerId: 'ann' })
    expect(ratings).toMatchObject([{ ratingId: 'ranked', rank: 1, matches: 1 }])
    expect((await matchyard.players.find({ projectId, playerId: 'nobody' })).ratings).toEqual([])
  })
})

it('a deleted project has neither ratings nor standings', async () => {
  const { matchyard, projectId, storage, play, settle } = await ratedArena()
  await play(matchOf(['ann'], ['bob']), ranked(1, 2))
  const accountId = (await storage.get('project', projectId))?.accountId ?? ''
  await matchyard.projects.delete({ projectId, accountId })
  await settle()
  expect((await storage.ratings.list(projectId, { limit: 1, offset: 0 })).total).toBe(0)
  expect(await storage.standings.ofPlayer(projectId, 'ann', 9)).toEqual([])
})

it('the quality of a match is the prediction of its queue, and unknown for a single team or without a rating', async () => {
  const { ctx, matchyard, projectId, play } = await ratedArena()
  await play(matchOf(['ann'], ['bob']), ranked(1, 2))
  const teams = (...names: string[]) => names.map((playerId) => ({ players: [{ playerId }] }))
  const queue = await requireQueue(ctx, projectId, 'duel')
  const { winProbability = [] } = (await qualityOf(ctx, queue, teams('ann', 'bob'))).quality ?? {}
  expect(winProbability[0]).toBeGreaterThan(0.5)
  expect(await qualityOf(ctx, queue, teams('ann'))).toEqual({})
  await matchyard.queues.update({ projectId, queueId: 'duel', changes: { rating: null } })
  expect(await qualityOf(ctx, await requireQueue(ctx, projectId, 'duel'), teams('ann', 'bob'))).toEqual({})
})
