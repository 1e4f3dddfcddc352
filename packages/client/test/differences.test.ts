import { describe, expect, it } from 'vitest'
import type { Lobby, Player } from '../src/api/types'
import { differences } from '../src/lobby/differences'

const player = (id: string, joinedAt = '2026-03-01T12:00:00.000Z'): Player => ({
  player_id: id,
  is_host: id === 'ann',
  joined_at: joinedAt,
  state: {},
})

const lobby = (changes: Partial<Lobby> = {}): Lobby => ({
  lobby_id: 'lob_1',
  queue_id: 'arena',
  status: 'waiting',
  host_player_id: 'ann',
  is_private: false,
  max_players: 4,
  current_players: 1,
  players: [player('ann')],
  invite_code: 'ABCDEF',
  settings: {},
  server: null,
  match_id: null,
  last_exit: null,
  version: 1,
  created_at: '2026-03-01T12:00:00.000Z',
  updated_at: '2026-03-01T12:00:00.000Z',
  ...changes,
})

const namesOf = (now: Partial<Lobby>, before: Partial<Lobby>) =>
  differences(lobby(now), lobby(before)).map(({ name }) => name)

describe('what happened between two versions of a lobby', () => {
  it('is a change, always and first', () => {
    expect(namesOf({ settings: { map: 'x' } }, {})).toEqual(['change'])
  })

  it('is who came and who went', () => {
    const both = [player('ann'), player('bob')]
    expect(namesOf({ players: both }, {})).toEqual(['change', 'player_joined'])
    expect(namesOf({}, { players: both })).toEqual(['change', 'player_left'])
  })

  it('is both for a player who left and came back unseen', () => {
    const later = [player('ann', '2026-03-01T12:05:00.000Z')]
    expect(namesOf({ players: later }, {})).toEqual(['change', 'player_left', 'player_joined'])
  })

  it('is another host', () => {
    expect(namesOf({ host_player_id: 'bob' }, {})).toEqual(['change', 'host_changed'])
  })

  it('is a proposal, its answers, and its end', () => {
    const proposal = { match_id: 'mat_1', expires_at: '', needed: 2, accepted: 0, players: [] }
    expect(namesOf({ proposal }, {})).toEqual(['change', 'proposal'])
    expect(namesOf({ proposal: { ...proposal, accepted: 1 } }, { proposal })).toEqual(['change', 'proposal'])
    expect(differences(lobby(), lobby({ proposal })).at(-1)).toEqual({ name: 'proposal', args: [null] })
  })

  it('is a match, its beginning, and why the lobby is back', () => {
    const matched = { status: 'matched', match_id: 'mat_1' } as const
    const playing = { status: 'in_game', match_id: 'mat_1' } as const
    const exit = { reason: 'match_ended', detail: 'the match ended', at: '2026-03-01T12:09:00.000Z' } as const
    expect(namesOf(matched, { status: 'in_queue' })).toEqual(['change', 'matched'])
    expect(namesOf(playing, matched)).toEqual(['change', 'in_game'])
    expect(namesOf({ last_exit: exit }, playing)).toEqual(['change', 'exit'])
  })

  it('is the next match too where the end of the one before was not seen', () => {
    const playing = { status: 'in_game', match_id: 'mat_1' } as const
    expect(namesOf({ ...playing, match_id: 'mat_2' }, playing)).toEqual(['change', 'matched', 'in_game'])
  })
})
