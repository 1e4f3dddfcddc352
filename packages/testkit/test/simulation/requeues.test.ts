import type { Lobby, LobbyStatus } from '@matchyard/core'
import type { StreamEvent } from '@matchyard/core/ports'
import { describe, expect, it } from 'vitest'
import {
  nobodyIsPutBackTooOften,
  nobodyLosesAgeToAFailedLaunch,
  type View,
} from '../../src/simulation/invariants/index'

type Step = readonly [status: LobbyStatus, enteredAt?: number]

/** Returns a view of one lobby with these states, one each second from second 1 on. */
const view = (...steps: readonly Step[]): View => {
  const events = steps.map(([status, enteredAt], index) => ({
    ...{
      at: index + 1,
      lobby: { id: 'lob_1', status, ticket: enteredAt === undefined ? null : { enteredAt } } as Lobby,
    },
  }))
  return { history: new Map([['lob_1', events as StreamEvent[]]]) } as unknown as View
}

const entered: readonly Step[] = [['waiting'], ['in_queue', 2]]
const failed: readonly Step[] = [['matched'], ['waiting']]
const back: Step = ['in_queue', 2]
/** Three failures, after each of which the lobby is put back. */
const thrice = [...failed, back, ...failed, back, ...failed, back]

describe('a simulated lobby that the service puts back', () => {
  it('keeps its age', () => {
    expect(nobodyLosesAgeToAFailedLaunch(view(...entered, ...thrice))).toEqual([])
    expect(nobodyLosesAgeToAFailedLaunch(view(...entered, ...failed, ['in_queue', 3]))).toHaveLength(1)
    expect(nobodyLosesAgeToAFailedLaunch(view(...entered, ['waiting'], back))).toHaveLength(1)
  })

  it('is put back three times at most, and the count begins anew with a match or a search of its host', () => {
    expect(nobodyIsPutBackTooOften(view(...entered, ...thrice))).toEqual([])
    expect(nobodyIsPutBackTooOften(view(...entered, ...thrice, ...failed, back))).toHaveLength(1)
    const played: readonly Step[] = [['matched'], ['in_game'], ['waiting']]
    expect(
      nobodyIsPutBackTooOften(view(...entered, ...thrice, ...played, ['in_queue', 16], ...failed, ['in_queue', 16])),
    ).toEqual([])
    expect(
      nobodyIsPutBackTooOften(view(...entered, ...thrice, ['waiting'], ['in_queue', 13], ...failed, ['in_queue', 13])),
    ).toEqual([])
  })
})
