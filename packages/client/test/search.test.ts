import { expect, it } from 'vitest'
import type { Lobby } from '../src/api/types'
import type { Session } from '../src/client-session'
import type { MatchLobby } from '../src/match/match-lobby'
import { searchOf } from '../src/match/search'

type State = Partial<Pick<Lobby, 'status' | 'last_exit'>>
const failed = { reason: 'launch_failed', detail: 'no server', at: '2026-03-01T12:00:00.000Z' } as const

/** Returns a search of a lobby, and a function that changes the lobby. */
function searching() {
  const listeners: ((now: Lobby) => void)[] = []
  let current = { status: 'in_queue', last_exit: null, version: 1 } as Lobby
  const lobby = {
    id: 'lob_1',
    get current() {
      return current
    },
    closed: undefined,
    on(name: string, listener: (now: Lobby) => void) {
      if (name === 'change') listeners.push(listener)
      return () => {}
    },
  } as unknown as MatchLobby
  const search = searchOf(lobby, {} as Session, {})
  search.from(current, true)
  const change = (state: State) => {
    current = { ...current, ...state, version: current.version + 1 }
    for (const listener of listeners) listener(current)
  }
  return { search, change }
}

it('a search continues while the service puts the lobby back after a failed launch', async () => {
  const { search, change } = searching()
  change({ status: 'matched' })
  change({ status: 'waiting', last_exit: { ...failed, will_requeue: true } })
  change({ status: 'in_queue', last_exit: null })
  change({ status: 'in_game' })
  await expect(search.inGame).resolves.toBeUndefined()
})

it('a search ends when the service gives up to put the lobby back', async () => {
  const { search, change } = searching()
  change({ status: 'matched' })
  change({ status: 'waiting', last_exit: { ...failed, will_requeue: true } })
  change({ last_exit: failed })
  await expect(search.inGame).rejects.toMatchObject({ exit: failed })
})
