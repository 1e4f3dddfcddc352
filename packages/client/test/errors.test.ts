import { describe, expect, it, vi } from 'vitest'
import { isMatchyardError, MatchmakingEnded, MatchyardError } from '../src/errors'

const full = () => new MatchyardError('LOBBY_FULL', { detail: 'the lobby is full', number: 4002, status: 409 })

describe('an error', () => {
  it('is known by its code', () => {
    expect(isMatchyardError(full(), 'LOBBY_FULL')).toBe(true)
    expect(isMatchyardError(full(), 'NOT_HOST', 'LOBBY_FULL')).toBe(true)
    expect(isMatchyardError(full(), 'NOT_HOST')).toBe(false)
    expect(isMatchyardError(full())).toBe(true)
    for (const other of [new Error('LOBBY_FULL'), { code: 'LOBBY_FULL' }, null, 'LOBBY_FULL']) {
      expect(isMatchyardError(other, 'LOBBY_FULL')).toBe(false)
    }
  })

  it('of another copy of the package is known as well', async () => {
    vi.resetModules()
    const copy = await import('../src/errors')
    expect(copy.MatchyardError).not.toBe(MatchyardError)
    expect(copy.isMatchyardError(full(), 'LOBBY_FULL')).toBe(true)
  })

  it('of a search that came to nothing says why', () => {
    const exit = { reason: 'timeout', detail: 'nobody came', at: '2026-03-01T12:00:00.000Z' } as const
    const error = new MatchmakingEnded(exit)
    expect(error).toMatchObject({ code: 'MATCHMAKING_ENDED', exit, detail: 'nobody came' })
  })
})
