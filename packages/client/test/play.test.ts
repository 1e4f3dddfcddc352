import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Lobby, type Match, MatchyardError } from '../src/index'
import { type Game, startGame } from './support/game'

let game: Game

beforeEach(async () => {
  game = await startGame(['duel', 'other'])
})
afterEach(() => game.stop())

const until = async (holds: () => boolean | Promise<boolean>) => {
  while (!(await holds())) await new Promise((next) => setImmediate(next))
}
const searching = (player: string, queueId = 'duel') =>
  until(async () => (await game.searchesOf(player)).queues.includes(queueId))
const error = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (caught: MatchyardError) => caught,
  )

describe('play', () => {
  it('answers the same match while this client searches and plays in the queue', async () => {
    const ann = game.client('ann')
    const bob = game.client('bob')
    const searches = [ann.play('duel'), ann.play('duel')]
    await searching('ann')
    const [third, theirs] = [ann.play('duel'), bob.play('duel')]
    await searching('bob')
    await game.match('duel')
    const [match, second] = await Promise.all(searches)
    await theirs
    for (const same of [second, await third, await ann.play('duel'), await ann.resume()]) expect(same).toBe(match)
    expect(await game.searchesOf('ann')).toEqual({ lobbies: 1, queues: [] })
  })

  it('joins a search that a lobby of this client began', async () => {
    const ann = game.client('ann')
    const lobby = await ann.lobbies.create({ queueId: 'duel' })
    const found = lobby.findMatch()
    await searching('ann')
    const played = ann.play('duel')
    const theirs = game.client('bob').play('duel')
    await searching('bob')
    await game.match('duel')
    expect((await played).lobby).toBe(lobby)
    expect((await played).id).toBe((await found).id)
    await theirs
  })

  it('begins again after the match and after a failure', async () => {
    const ann = game.client('ann')
    await game.together(ann, game.client('bob'), 'duel')
    const match = await ann.play('duel')
    await match.lobby.leave()
    expect(await error(ann.play('nowhere'))).toMatchObject({ code: 'QUEUE_NOT_FOUND' })
    expect(await error(ann.play('nowhere'))).toMatchObject({ code: 'QUEUE_NOT_FOUND' })
    const again = ann.play('duel')
    await searching('ann')
    const theirs = game.client('cid').play('duel')
    await searching('cid')
    await game.match('duel')
    expect((await again).id).not.toBe(match.id)
    await theirs
  })

  it('ends the search for all callers when one of them aborts, and a later call begins a new one', async () => {
    const ann = game.client('ann')
    const second = new AbortController()
    const first = error(ann.play('duel'))
    await searching('ann')
    const joined = error(ann.play('duel', {}, { signal: second.signal }))
    const reason = new Error('the page is gone')
    second.abort(reason)
    const third = error(ann.play('duel', {}, { signal: AbortSignal.abort(reason) }))
    const fourth = ann.play('duel')
    expect(await Promise.all([first, joined, third])).toEqual([reason, reason, reason])
    const theirs = game.client('bob').play('duel')
    await searching('ann')
    await searching('bob')
    await game.match('duel')
    expect((await fourth).me.playerId).toBe('ann')
    await theirs
  })

  it('rejects with the id of the other match, to which resume returns', async () => {
    const ann = game.client('ann')
    await game.together(ann, game.client('bob'), 'duel')
    const playing = await ann.play('duel')
    const refused = await error(game.client('ann').play('other'))
    expect(refused).toBeInstanceOf(MatchyardError)
    expect(refused).toMatchObject({ code: 'PLAYER_IN_MATCH', matchId: playing.id })
    const reloaded = (await game.client('ann').resume()) as Match<Lobby>
    expect([reloaded.id, reloaded.me, reloaded.lobby.id]).toEqual([playing.id, playing.me, playing.lobby.id])
  })

  it.each(['this', 'another'])('leaves the match of %s client with leaveOther, and searches', async (which) => {
    const ann = game.client('ann')
    await game.together(ann, game.client('bob'), 'duel')
    const playing = await ann.play('duel')
    const client = which === 'this' ? ann : game.client('ann')
    const found = client.play('other', { leaveOther: true })
    await searching('ann', 'other')
    await playing.ended
    expect(playing.lobby.closed).toBe(which === 'this' ? 'left' : 'deleted')
    const theirs = game.client('cid').play('other')
    await searching('cid', 'other')
    await game.match('other')
    expect((await found).id).not.toBe(playing.id)
    await theirs
  })
})

describe('resume', () => {
  it('resolves with undefined without a match, and does not begin a search', async () => {
    const ann = game.client('ann')
    await ann.lobbies.create({ queueId: 'duel' })
    expect(await ann.resume()).toBeUndefined()
    expect(await game.searchesOf('ann')).toEqual({ lobbies: 1, queues: [] })
  })
})
