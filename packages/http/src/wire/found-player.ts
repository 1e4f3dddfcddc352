import { EXIT_REASONS, type FoundPlayer, type MatchOnServer, type PlayerExit } from '@matchyard/core'
import { type AnswerCodec, answerOf, instant, listOf, required } from './codec/index'
import { lobby } from './lobby'
import { match } from './match'
import { oneOf, string } from './shared'

const played: AnswerCodec<MatchOnServer, typeof match.answer> = {
  answer: match.answer,
  encode: ({ match: one, server }) => match.encode({ ...one, server }),
}

const exit = answerOf<PlayerExit>()(
  {
    reason: required('reason', oneOf(EXIT_REASONS)),
    detail: required('detail', string),
    at: required('at', instant),
    lobby_id: required('lobbyId', string),
    queue_id: required('queueId', string),
  },
  'PlayerExit',
)

export const foundPlayer = answerOf<FoundPlayer>()(
  {
    player_id: required('playerId', string),
    lobbies: required('lobbies', listOf(lobby)),
    matches: required('matches', listOf(played)),
    last_exits: required('lastExits', listOf(exit)),
  },
  'FoundPlayer',
)
