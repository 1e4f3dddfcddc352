import { checkLinearizable, type LobbyCall, type LobbyOperation, lobbyRegister } from '@matchyard/testkit/storage'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

const model = lobbyRegister({ version: 1, players: ['host'] }, 3)
const holds = (...history: LobbyOperation[]) => checkLinearizable(model, history).linearizable

const join = (player: string): LobbyCall => ({ type: 'join', player })
const leave = (player: string): LobbyCall => ({ type: 'leave', player })
const read: LobbyCall = { type: 'read' }

const op = (calledAt: number, at: number, call: LobbyCall, version?: number, ...players: string[]): LobbyOperation => {
  const lobby = version === undefined ? null : { version, players: ['host', ...players] }
  return { call, calledAt, answered: { at, answer: { lobby } } }
}
const refused = (calledAt: number, at: number, call: LobbyCall, code: string): LobbyOperation => ({
  call,
  calledAt,
  answered: { at, answer: { refused: code } },
})
const unheard = (calledAt: number, call: LobbyCall): LobbyOperation => ({ call, calledAt })

describe('a history of one lobby', () => {
  it('is accepted when calls that overlap took effect in some order', () => {
    expect(
      holds(
        op(0, 10, join('ann'), 3, 'bob', 'ann'),
        op(1, 9, join('bob'), 2, 'bob'),
        refused(2, 11, join('cat'), 'LOBBY_FULL'),
        op(3, 4, read, 1),
      ),
    ).toBe(true)
  })

  it('is refused for a stale read', () => {
    const joined = op(0, 1, join('ann'), 2, 'ann')
    expect(holds(joined, op(2, 3, read, 2, 'ann'))).toBe(true)
    expect(holds(joined, op(2, 3, read, 1))).toBe(false)
    // The read is not stale, because it overlapped with the join.
    expect(holds(joined, op(0, 3, read, 1))).toBe(true)
  })

  it('is refused for two reads that see the world go back, whatever the write was', () => {
    expect(holds(unheard(0, join('ann')), op(1, 2, read, 2, 'ann'), op(3, 4, read, 1))).toBe(false)
  })

  it('is refused for a write that was acknowledged and lost', () => {
    expect(holds(op(0, 1, join('ann'), 2, 'ann'), op(2, 3, join('bob'), 2, 'bob'))).toBe(false)
    expect(holds(op(0, 1, join('ann'), 2, 'ann'), op(2, 3, leave('ann')), op(4, 5, read, 2, 'ann'))).toBe(false)
  })

  it('is refused for one seat too many, and for a refusal without reason', () => {
    const [ann, bob] = [op(0, 1, join('ann'), 2, 'ann'), op(2, 3, join('bob'), 3, 'ann', 'bob')]
    expect(holds(ann, bob, op(4, 5, join('cat'), 4, 'ann', 'bob', 'cat'))).toBe(false)
    expect(holds(ann, refused(2, 3, join('cat'), 'LOBBY_FULL'))).toBe(false)
  })

  it('lets a call without an answer take effect, late or never', () => {
    const lost = unheard(0, join('ann'))
    expect(holds(lost, op(5, 6, read, 1), op(7, 8, read, 1))).toBe(true)
    expect(holds(lost, op(5, 6, read, 1), op(7, 8, read, 2, 'ann'))).toBe(true)
    expect(holds(lost, op(5, 6, read, 2, 'ann'), refused(7, 8, leave('bob'), 'PLAYER_NOT_IN_LOBBY'))).toBe(true)
  })

  it('names how far it could be explained', () => {
    const history = [op(0, 1, join('ann'), 2, 'ann'), op(2, 3, read, 2, 'ann'), op(4, 5, read, 1)]
    expect(checkLinearizable(model, history)).toEqual({ linearizable: false, explained: [0, 1] })
  })
})

describe('histories of a real register', () => {
  const step = fc.record({
    call: fc.oneof(
      fc.constantFrom('ann', 'bob', 'cat').map(join),
      fc.constantFrom('ann', 'bob', 'cat').map(leave),
      fc.constant(read),
    ),
    before: fc.integer({ min: 0, max: 30 }),
    after: fc.integer({ min: 0, max: 30 }),
    heard: fc.integer({ min: 0, max: 9 }).map((drawn) => drawn > 0),
  })

  /** Returns operations that took effect at 10, 20, 30 …, each called some time before and answered some time after. */
  function historyOf(steps: readonly { call: LobbyCall; before: number; after: number; heard: boolean }[]) {
    let state = model.initial
    return steps.map(({ call, before, after, heard }, index): LobbyOperation => {
      const at = (index + 1) * 10
      const next = model.step(state, call, undefined) ?? state
      const code = call.type === 'join' ? 'LOBBY_FULL' : 'PLAYER_NOT_IN_LOBBY'
      const isRefused = model.step(state, call, { refused: code }) !== undefined
      state = next
      const answer = isRefused ? { refused: code } : { lobby: call.type === 'leave' ? null : next }
      return { call, calledAt: at - before, ...(heard ? { answered: { at: at + after, answer } } : {}) }
    })
  }

  it('are accepted, and refused once a read of long ago is planted', () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 40 }), (steps) => {
        const history = historyOf(steps)
        expect(checkLinearizable(model, history).linearizable).toBe(true)
        const end = (steps.length + 10) * 10
        const planted = op(end + 2, end + 3, read, 1)
        const moved = history.some(({ answered }) => {
          const lobby = answered && 'lobby' in answered.answer ? answered.answer.lobby : null
          return lobby !== null && lobby.version > 1
        })
        if (moved) expect(checkLinearizable(model, [...history, planted]).linearizable).toBe(false)
      }),
      { numRuns: 200 },
    )
  })
})
