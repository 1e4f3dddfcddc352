import { ACCESS_RULES, ERROR_CONTRACT_RULES, ERROR_RULES, LIST_RULES, WIRE_CONTRACT_RULES } from './access'
import { ACCOUNT_CONTRACT_RULES, PROJECT_RULES, SESSION_RULES } from './accounts'
import { BILLING_CONTRACT_RULES, BILLING_RULES } from './billing'
import { BUILD_CONTRACT_RULES, BUILD_RULES } from './builds'
import { COMMAND_RULES, EVENT_CONTRACT_RULES, EVENT_RULES } from './events'
import { LOBBY_CONTRACT_RULES, LOBBY_ENDPOINT_RULES, LOBBY_RULES, STATE_RULES } from './lobbies'
import { QUEUE_CONTRACT_RULES, QUEUE_RULES } from './queues'
import { SERVER_CONTRACT_RULES, SERVER_RULES } from './servers'

export type { Rule } from './define'

/** All rules of the specification and the contract, by id, in the order of the documents. */
export const RULES = {
  ...SESSION_RULES,
  ...PROJECT_RULES,
  ...BILLING_RULES,
  ...BUILD_RULES,
  ...SERVER_RULES,
  ...QUEUE_RULES,
  ...LOBBY_RULES,
  ...STATE_RULES,
  ...LOBBY_ENDPOINT_RULES,
  ...EVENT_RULES,
  ...ACCESS_RULES,
  ...ERROR_RULES,
  ...LIST_RULES,
  ...WIRE_CONTRACT_RULES,
  ...ERROR_CONTRACT_RULES,
  ...ACCOUNT_CONTRACT_RULES,
  ...BILLING_CONTRACT_RULES,
  ...BUILD_CONTRACT_RULES,
  ...QUEUE_CONTRACT_RULES,
  ...LOBBY_CONTRACT_RULES,
  ...EVENT_CONTRACT_RULES,
  ...SERVER_CONTRACT_RULES,
  ...COMMAND_RULES,
} as const

export type RuleId = keyof typeof RULES
