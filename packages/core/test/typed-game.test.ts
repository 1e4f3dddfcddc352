import { createMatchyard, type JsonObject, type LobbyView, type MatchView, type Matchyard } from '@matchyard/core'
import { memoryStorage } from '@matchyard/storage-memory'
import { fakePlatform } from '@matchyard/testkit'
import { describe, expectTypeOf, it } from 'vitest'

/** An interface with a read-only list and an interface inside, as games write their types. */
interface Rank {
  readonly mmr: number
  readonly maps: readonly string[]
  readonly clan?: { readonly name: string }
}
interface Rules {
  readonly mode: 'blitz' | 'rapid'
  readonly board?: { readonly size: number }
}
type Chess = { state: Rank; settings: Rules }

const options = () => ({ ...fakePlatform({ seed: 1 }), storage: memoryStorage() })
/** Types only: the function is never called. */
const typed = (use: (chess: Matchyard<Chess>) => unknown) => void use

const RANK: Rank = { mmr: 1500, maps: ['a'] }
const AS = { projectId: 'prj', playerId: 'ann', lobbyId: 'lob' }
const NEW = { projectId: 'prj', playerId: 'ann', queueId: 'duel' }

describe('a game with its own types', () => {
  it('takes states and settings as the game has them, and no others', () =>
    typed(async ({ lobbies, matches, project }) => {
      await lobbies.create({ ...NEW, state: RANK, settings: { mode: 'blitz' } })
      await project('prj').lobbies.create({
        playerId: 'ann',
        queueId: 'duel',
        state: RANK,
        settings: { mode: 'rapid' },
      })
      // @ts-expect-error a state without its fields would be stored as {}
      await lobbies.create({ ...NEW, settings: { mode: 'blitz' } })
      // @ts-expect-error no such mode
      await lobbies.create({ ...NEW, state: RANK, settings: { mode: 'slow' } })
      await lobbies.join({ ...AS, state: RANK })
      // @ts-expect-error a text for a number
      await lobbies.join({ ...AS, state: { mmr: '1500', maps: [] } })
      await lobbies.updatePlayer({ ...AS, targetPlayerId: 'ann', state: { mmr: 1510 } })
      await project('prj').lobbies.updatePlayer({
        lobbyId: 'l',
        playerId: 'a',
        targetPlayerId: 'ann',
        state: { mmr: 1510 },
      })
      await lobbies.updateSettings({ ...AS, changes: { settings: { mode: 'rapid' } } })
      // @ts-expect-error no such mode
      await lobbies.updateSettings({ ...AS, changes: { settings: { mode: 'slow' } } })
      await lobbies.quickJoin({ ...NEW, state: RANK, filter: { mode: 'rapid' } })
      // @ts-expect-error a setting that is an object cannot be searched
      await lobbies.quickJoin({ ...NEW, state: RANK, filter: { board: { size: 8 } } })
      await matches.backfill({ projectId: 'prj', matchId: 'mat', players: [{ playerId: 'ann', state: RANK }] })
    }))

  it('gives states and settings their types in answers, events, streams and feeds', () =>
    typed(async ({ events, feed, lobbies, matches, players, project }) => {
      const lobby = await project('prj').lobbies.get({ lobbyId: 'lob', backend: true })
      expectTypeOf(lobby).toExtend<LobbyView<Chess>>()
      expectTypeOf(lobby.settings.mode).toEqualTypeOf<'blitz' | 'rapid'>()
      const [seen] = (await lobbies.browse({ projectId: 'prj', backend: true })).data
      expectTypeOf(seen?.players[0]?.state.maps).toEqualTypeOf<readonly string[] | undefined>()
      const { match } = await matches.get({ projectId: 'prj', matchId: 'mat' })
      expectTypeOf(match.teams[0]?.players[0]?.state.mmr).toEqualTypeOf<number | undefined>()
      const found = await players.find({ projectId: 'prj', playerId: 'ann' })
      expectTypeOf(found.lobbies[0]?.settings.mode).toEqualTypeOf<'blitz' | 'rapid' | undefined>()
      events.on('match_found', (event) => {
        expectTypeOf(event.match).toEqualTypeOf<MatchView<Chess>>()
      })
      events.on('player_joined', ({ player }) => expectTypeOf(player.state.mmr).toBeNumber())
      for await (const message of await lobbies.watch({ ...AS, backend: false })) {
        expectTypeOf(message.lobby.settings.mode).toEqualTypeOf<'blitz' | 'rapid'>()
      }
      for await (const message of await feed('prj')) {
        if (message.event === 'change' && message.kind === 'match' && message.change === 'updated') {
          expectTypeOf(message.data.match.settings.mode).toEqualTypeOf<'blitz' | 'rapid'>()
        }
      }
    }))

  it('has only types that JSON can hold', () => {
    // @ts-expect-error JSON has no dates
    const dated = () => void createMatchyard<{ state: { since: Date } }>(options())
    // @ts-expect-error a game has states and settings
    const named = () => void createMatchyard<{ players: { mmr: number } }>(options())
    expectTypeOf(dated).toEqualTypeOf(named)
  })
})

describe('a game without types of its own', () => {
  it('has JSON objects', () => {
    const same = (matchyard: ReturnType<typeof createMatchyard>): Matchyard => matchyard
    expectTypeOf(same).toBeFunction()
    expectTypeOf<LobbyView['settings']>().toEqualTypeOf<JsonObject>()
    const list: readonly string[] = ['a']
    expectTypeOf({ list }).toExtend<JsonObject>()
  })
})

describe('a status', () => {
  it('of a lobby decides which fields have a value', () =>
    typed(async ({ lobbies }) => {
      const lobby = await lobbies.get({ projectId: 'prj', lobbyId: 'lob', backend: true })
      expectTypeOf(lobby.matchId).toEqualTypeOf<string | null>()
      if (lobby.status === 'in_game') expectTypeOf(lobby.matchId).toBeString()
      if (lobby.status === 'waiting') expectTypeOf(lobby.server).toBeNull()
      if (lobby.status === 'in_game') expectTypeOf(lobby.ticket).toBeNull()
    }))

  it('of a match decides which instants it has', () =>
    typed(async ({ matches }) => {
      const { match } = await matches.get({ projectId: 'prj', matchId: 'mat' })
      if (match.status === 'running') expectTypeOf(match.startedAt).toBeNumber()
      if (match.status === 'ended') expectTypeOf(match.endedAt).toBeNumber()
      if (match.status === 'proposed') expectTypeOf(match.proposal.expiresAt).toBeNumber()
    }))
})
