import type { JoinToken } from '@matchyard/core'
import { answerOf, instant, required } from './codec/index'
import { string } from './shared'

export const joinToken = answerOf<JoinToken>()(
  {
    token: required(
      string,
      'A JWT, HS256 by `join_token_key`: `aud` match, `sub` player, `instance_id`, `team`, `role`.',
    ),
    expiresAt: required(instant, 'Time of expiry.'),
  },
  'JoinToken',
  'A token with which a player joins a game server.',
)
