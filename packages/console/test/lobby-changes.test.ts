import type { LobbySnapshot } from '@matchyard/client'
import { expect, it } from 'vitest'
import { changesOf } from '../src/page/rooms/lobbies/changes'

const lobby = (version: number, players: readonly string[], banned: readonly string[]) =>
  ({
    ...{ version, status: 'waiting', host_player_id: 'ann', settings: {}, server: null, banned },
    players: players.map((player_id) => ({ player_id, state: {} })),
  }) as unknown as LobbySnapshot

it('tells who was banned, whose ban was lifted and who left', () => {
  const changes = changesOf(lobby(1, ['ann', 'bob', 'cleo'], ['dan']), lobby(2, ['ann'], ['bob']))
  expect(changes.map(({ text, of, is }) => [text, of, is])).toEqual([
    ['Left:', 'cleo', 'player'],
    ['Banned:', 'bob', 'player'],
    ['Ban lifted:', 'dan', 'player'],
  ])
})
