import { z } from '@hono/zod-openapi'
import { PLANS, SELF_HOSTED } from '@matchyard/core'
import {
  FACTOR_CODE_LENGTH,
  MAX_EMAIL_TEXT,
  NAME_LENGTH,
  ONE_TIME_CODE_LENGTH,
  PASSWORD_LENGTH,
} from '@matchyard/core/domain'
import { answerOf, bodyOf, given, instant, optional, plain, required, told } from './codec/index'
import type { AccountProfile, SessionGrant } from './core-types'
import { flag, nameText, oneOf, string, text } from './shared'

// Only the length is checked here. The core checks the form of an address when an account is created. At a login, a
// malformed address is answered as a wrong e-mail address or password.
const email = plain(
  z.string().max(MAX_EMAIL_TEXT, `must be at most ${MAX_EMAIL_TEXT} characters long`).openapi({ format: 'email' }),
)

export const registration = bodyOf({
  email: required(email, 'E-mail address with which the developer logs in; case is ignored.'),
  password: required(text(PASSWORD_LENGTH), 'Password; only its argon2id hash is stored.'),
  name: required(nameText(NAME_LENGTH), 'Display name.'),
})

export const login = bodyOf({
  email: required(email, 'E-mail address of the account; case is ignored.'),
  password: required(string, 'Password of the account.'),
  code: optional(
    text(FACTOR_CODE_LENGTH),
    'Code of the second factor: of the authenticator, or a recovery code; needed for an account that has one.',
  ),
})

export const oneTimeCode = bodyOf({
  code: required(
    text(ONE_TIME_CODE_LENGTH),
    'Code from the console link that `matchyard dev` printed; valid once, for ten minutes.',
  ),
})

export const account = answerOf<AccountProfile>()(
  {
    id: required(string, 'Id.'),
    email: required(string, 'E-mail address with which the developer logs in.'),
    name: required(string, 'Display name.'),
    plan: required(oneOf(PLANS), 'Plan of the account; `GET /v1/billing/plan` returns its limits.'),
    tariff: given(
      oneOf([SELF_HOSTED]),
      'Present on accounts that the operator created, which pay nothing; absent on all others.',
    ),
    operator: given(flag, 'Present on accounts of operators, who can see the machines; absent on all others.'),
    createdAt: required(instant, 'Time of creation.'),
    updatedAt: required(instant, 'Time of the last change.'),
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
    tokenType: told(plain(z.literal('Bearer')), () => 'Bearer' as const, 'Type of the token.'),
    expiresAt: required(instant, 'Time at which the session expires.'),
    account: required(account, 'Account of the session.'),
  },
  'Session',
  'A session of a developer.',
)
