import { z } from '@hono/zod-openapi'
import type { JoinToken } from '@matchyard/core'
import { answerOf, instant, plain, required } from './codec/index'

const token = z.string().openapi({
  description: 'A JWT, HS256 by `join_token_key`: `aud` match, `sub` player, `instance_id`, `team`, `role`.',
})

export const joinToken = answerOf<JoinToken>()(
  {
    token: required(plain(token)),
    expiresAt: required(instant, 'It lets nobody in from then on.'),
  },
  'JoinToken',
  'What a game server lets a player in by.',
)
