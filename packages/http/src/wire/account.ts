import { z } from '@hono/zod-openapi'
import { PLANS, SELF_HOSTED } from '@matchyard/core'
import { MAX_EMAIL_TEXT, NAME_LENGTH, ONE_TIME_CODE_LENGTH, PASSWORD_LENGTH } from '@matchyard/core/domain'
import { answerOf, bodyOf, given, instant, plain, required, told } from './codec/index'
import type { AccountProfile, SessionGrant } from './core-types'
import { oneOf, string, text } from './shared'

// Told apart from a wrong login only where an account is made; core judges the address itself.
const email = plain(
  z.string().max(MAX_EMAIL_TEXT, `must be at most ${MAX_EMAIL_TEXT} characters long`).openapi({ format: 'email' }),
)

export const registration = bodyOf({
  email: required('email', email),
  password: required('password', text(PASSWORD_LENGTH)),
  name: required('name', text(NAME_LENGTH)),
})

export const login = bodyOf({ email: required('email', email), password: required('password', string) })

export const oneTimeCode = bodyOf({ code: required('code', text(ONE_TIME_CODE_LENGTH)) })

export const account = answerOf<AccountProfile>()(
  {
    id: required('id', string),
    email: required('email', string),
    name: required('name', string),
    plan: required('plan', oneOf(PLANS)),
    tariff: given('tariff', oneOf([SELF_HOSTED])),
    created_at: required('createdAt', instant),
    updated_at: required('updatedAt', instant),
  },
  'Account',
)

export const session = answerOf<SessionGrant>()(
  {
    token: required('token', string),
    token_type: told(plain(z.literal('Bearer')), () => 'Bearer' as const),
    expires_at: required('expiresAt', instant),
    account: required('account', account),
  },
  'Session',
)
