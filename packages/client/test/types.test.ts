import { describe, expectTypeOf, it } from 'vitest'
import type { QueuesCreateBody, WebhookMessage } from '../src/admin/index'
import { type ErrorCode, isMatchyardError, type MatchmakingEnded, type Match as PlayedMatch } from '../src/index'

const queue = (rules: NonNullable<NonNullable<QueuesCreateBody['matchmaking']>['rules']>): QueuesCreateBody => ({
  queue_id: 'arena',
  name: 'Arena',
  matchmaking: { teams: 2, players_per_team: 1, rules },
})

describe('what the compiler refuses', () => {
  it('is a wrong rule of a queue', () => {
    queue([{ type: 'difference', field: 'mmr', max_difference: 100 }])
    // @ts-expect-error the bound of another rule
    queue([{ type: 'difference', field: 'mmr', min_overlap: 1 }])
    // @ts-expect-error no such rule
    queue([{ type: 'differs', field: 'mmr' }])
    // @ts-expect-error a rule without its field
    queue([{ type: 'equals' }])
    // @ts-expect-error a text for a number
    queue([{ type: 'difference', field: 'mmr', max_difference: '100' }])
  })

  it('is a code that no error has', () => {
    isMatchyardError(undefined, 'LOBBY_FULL')
    // @ts-expect-error a misspelled code
    isMatchyardError(undefined, 'LOBBY_IS_FULL')
    expectTypeOf<'LOBBY_FULL'>().toExtend<ErrorCode>()
  })
})

describe('what the compiler knows', () => {
  it('is which error has a code', () => {
    const error: unknown = undefined
    if (isMatchyardError(error, 'MATCHMAKING_ENDED')) expectTypeOf(error).toExtend<MatchmakingEnded>()
    if (isMatchyardError(error, 'LOBBY_FULL')) expectTypeOf(error.code).toEqualTypeOf<'LOBBY_FULL'>()
  })

  it('is what a message of a webhook is about, by its type', () => {
    const about = (message: WebhookMessage) =>
      message.type === 'match.ended' ? message.data.teams : message.type === 'build.ready' ? message.data.version : null
    expectTypeOf(about).returns.not.toBeAny()
    expectTypeOf<PlayedMatch['me']['team']>().toBeString()
  })
})
