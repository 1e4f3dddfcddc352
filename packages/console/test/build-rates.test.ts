import type { LobbySnapshot } from '@matchyard/client'
import type { History } from '@matchyard/client/admin'
import { expect, test } from 'vitest'
import { endsOf, percent, versionOf } from '../src/page/rooms/builds/rates'
import { doingOf, presentIn } from '../src/page/rooms/players/present'
import { lineAt } from '../src/page/rooms/servers/line-at'

test('the ends of servers are added up by build version and cause, over all hours', () => {
  const at = '2026-03-14T15:00:00.000Z'
  const history = {
    series: [
      {
        name: 'ends',
        points: [
          { at, value: 9, parts: { 'arena@1/match_ended': 5, 'arena@1/server_failed': 1, 'a@2/launch_failed': 3 } },
          { at, value: 4, parts: { 'arena@1/server_failed': 2, 'arena@1/server_stopped': 1, other: 1 } },
        ],
      },
    ],
  } as unknown as History
  const ends = endsOf(history)
  expect(ends.get(versionOf({ name: 'arena', version: 1 }))).toEqual({ ended: 9, crashed: 3, notStarted: 0 })
  expect(ends.get('a@2')).toEqual({ ended: 3, crashed: 0, notStarted: 3 })
  expect(endsOf({ series: [] }).size).toBe(0)
})

test('a share is shown in percent, and one that is not nothing is never shown as nothing', () => {
  const shares = [percent(0, 10), percent(0, 0), percent(3, 120), percent(1, 10_000), percent(1, 4), percent(7, 7)]
  expect(shares).toEqual(['0 %', '0 %', '2.5 %', '< 0.1 %', '25 %', '100 %'])
})

test('a link to a time in a log leads to the last line that was written by then', () => {
  const lines = ['15:00:01', '15:00:02', '15:00:02', '15:00:09'].map((time, number) => {
    return { timestamp: `2026-03-14T${time}.000Z`, number }
  })
  expect(lineAt(lines, '2026-03-14T15:00:05.000Z')?.number).toBe(2)
  expect(lineAt(lines, '2026-03-14T15:00:00.000Z')?.number).toBe(0)
  expect(lineAt(lines, '2026-03-14T16:00:00.000Z')?.number).toBe(3)
  expect([lineAt(lines, undefined), lineAt([], '2026-03-14T15:00:00.000Z'), lineAt(lines, 'soon')]).toEqual([
    undefined,
    undefined,
    undefined,
  ])
})

test('players are listed by what their lobby does, those who joined last first', () => {
  const lobby = (status: LobbySnapshot['status'], ...players: readonly string[]) =>
    ({
      status,
      players: players.map((id, index) => ({ player_id: id, joined_at: `2026-03-14T15:00:0${index}` })),
    }) as never
  expect(
    ['waiting', 'in_queue', 'matched', 'starting', 'in_game'].map((status) => doingOf({ status } as never)),
  ).toEqual(['lobby', 'searching', 'match', 'match', 'match'])
  expect(presentIn([lobby('waiting', 'ann', 'bob')]).map(({ playerId }) => playerId)).toEqual(['bob', 'ann'])
})
