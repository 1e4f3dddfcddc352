import { z } from '@hono/zod-openapi'
import { PLANS, SELF_HOSTED } from '@matchyard/core'
import { MAX_EMAIL_TEXT, NAME_LENGTH, ONE_TIME_CODE_LENGTH, PASSWORD_LENGTH } from '@matchyard/core/domain'
import { answerOf, bodyOf, given, instant, plain, required, told } from './codec/index'
import type { AccountProfile, SessionGrant } from './core-types'
import { nameText, oneOf, string, text } from './shared'

// Told apart from a wrong login only where an account is made; core judges the address itself.
const email = plain(
  z.string().max(MAX_EMAIL_TEXT, `must be at most ${MAX_EMAIL_TEXT} characters long`).openapi({ format: 'email' }),
)

export const registration = bodyOf({
  email: required(email, 'With it the developer logs in; upper and lower case are the same.'),
  password: required(text(PASSWORD_LENGTH), 'Kept as argon2id alone.'),
  name: required(nameText(NAME_LENGTH), 'For people to read.'),
})

export const login = bodyOf({
  email: required(email, 'Of the account; upper and lower case are the same.'),
  password: required(string, 'Of the account.'),
})

export const oneTimeCode = bodyOf({
  code: required(
    text(ONE_TIME_CODE_LENGTH),
    'As `matchyard dev` printed it in the link to its console: good once, and for ten minutes.',
  ),
})

export const account = answerOf<AccountProfile>()(
  {
    id: required(string, 'Its id.'),
    email: required(string, 'With it the developer logs in.'),
    name: required(string, 'For people to read.'),
    plan: required(oneOf(PLANS), 'What the account may do: `GET /v1/billing/plan` tells it in full.'),
    tariff: given(oneOf([SELF_HOSTED]), 'On accounts that the operator made, which pay nothing; absent on all others.'),
    createdAt: required(instant, 'When it was made.'),
    updatedAt: required(instant, 'When it changed last.'),
  },
  'Account',
  'A developer account.',
)

export const session = answerOf<SessionGrant>()(
  {
    token: required(
      string,
      'Sent as `authorization: Bearer …`: a JWT, good for seven days or until it is refreshed or logged out.',
    ),
    tokenType: told(plain(z.literal('Bearer')), () => 'Bearer' as const, 'How it is sent.'),
    expiresAt: required(instant, 'It is refused from then on.'),
    account: required(account, 'Whose session it is.'),
  },
  'Session',
  'A login.',
)
