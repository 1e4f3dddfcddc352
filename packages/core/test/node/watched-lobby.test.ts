import { aLobby } from '@matchyard/testkit'
import { describe, expect, it } from 'vitest'
import type { Lobby } from '../../src/lobby/lobby'
import { WatchedLobby } from '../../src/node/watched-lobby'

const TIMEOUTS = { silentMs: 3_600_000, absentMs: 30_000 }

/** Returns a lobby of the host ann with streams of ann and bob, and of cid by a backend. */
function watched(lobby: Partial<Lobby>) {
  const of = aLobby({ hostPlayerId: 'ann', status: 'waiting', isPrivate: false, ...lobby })
  const it = new WatchedLobby(of, 250, 1_100, TIMEOUTS)
  it.opened('ann', 'client')
  it.opened('bob', 'client')
  it.opened('cid', 'backend')
  const heard = (now: number) =>
    it.take(now).flatMap(({ scope, member }) => (member === 'client' ? [scope.split(':').at(-1)] : []))
  return { of, it, heard }
}

describe('open streams of a lobby', () => {
  it.each([
    ['all its clients at a quarter of the timeout while it searches', { status: 'in_queue' }, 8_000, ['ann', 'bob']],
    ['its host at half of the timeout while lists show it', { status: 'waiting' }, 16_000, ['ann']],
    ['nobody while it is private', { isPrivate: true }, 901_100, []],
    ['nobody while its match runs', { status: 'in_game' }, 901_100, []],
  ] as const)('report to the project %s, at full seconds', (_, lobby, at, reported) => {
    const { it, heard } = watched(lobby)
    expect(it.nextAt).toBe(at)
    expect(heard(at)).toEqual(reported)
  })

  it('report at once when the lobby begins to search or gets another host', () => {
    const { of, it, heard } = watched({ isPrivate: true })
    expect(it.changed(of)).toBe(false)
    const listed = { ...of, isPrivate: false }
    expect(it.changed(listed)).toBe(true)
    expect(heard(2_000)).toEqual(['ann'])
    expect(it.changed({ ...listed, hostPlayerId: 'bob' })).toBe(true)
    expect(heard(2_001)).toEqual(['bob'])
    expect(it.changed({ ...listed, hostPlayerId: 'cid' })).toBe(true)
    expect(heard(2_002)).toEqual([])
    expect(it.changed({ ...listed, status: 'in_queue' })).toBe(true)
    expect(heard(2_003)).toEqual(['ann', 'bob'])
  })
})
