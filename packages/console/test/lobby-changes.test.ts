import type { LobbySnapshot } from '@matchyard/client'
import { expect, it, vi } from 'vitest'

interface Change {
  readonly text: string
  readonly of?: string
  readonly is?: string
}

vi.stubGlobal('document', { visibilityState: 'hidden' })
// By its name alone: its types are those of a browser, which tests do not have.
const { changesOf } = await vi.importActual<{
  changesOf(before: LobbySnapshot, after: LobbySnapshot): readonly Change[]
}>('../src/page/rooms/lobbies/changes')

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
