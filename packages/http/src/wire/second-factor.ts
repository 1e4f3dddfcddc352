import type { ActivatedFactor, BegunFactor, FactorState } from '@matchyard/core'
import { FACTOR_CODE_LENGTH } from '@matchyard/core/domain'
import { answerOf, bodyOf, given, instant, listOf, NAMES_OF, nullable, required } from './codec/index'
import { flag, number, string, text } from './shared'

export const newFactor = bodyOf({ password: required(string, 'Password of the account.') })

export const factorCode = bodyOf({
  code: required(text(FACTOR_CODE_LENGTH), 'Code of the authenticator, or, to remove the factor, a recovery code.'),
})

const stateFields = {
  isActive: required(flag, 'Whether logins by password need a code.'),
  activatedAt: required(nullable(instant), 'Time of the activation; null while no second factor is active.'),
  recoveryCodesLeft: required(number, 'Number of unused recovery codes.'),
} as const

export const factorState = answerOf<FactorState>(NAMES_OF.factor)(
  stateFields,
  'SecondFactor',
  'The state of the second factor of an account.',
)

export const begunFactor = answerOf<BegunFactor>()(
  {
    secret: given(string, 'Secret in base32, shown only once and not in a replayed answer.'),
    uri: given(string, 'Address `otpauth://…` for a QR code, shown only once and not in a replayed answer.'),
  },
  'BegunSecondFactor',
  'A second factor that is not active yet.',
)

export const activatedFactor = answerOf<ActivatedFactor>(NAMES_OF.factor)(
  {
    ...stateFields,
    recoveryCodes: given(listOf(string), 'Recovery codes; shown only once and not in a replayed answer.'),
  },
  'ActivatedSecondFactor',
  'A second factor with its recovery codes.',
)
