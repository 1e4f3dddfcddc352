import type { Account } from '../../account/account'
import type { AccountEvent } from '../../account/events'
import { evolveAccount } from '../../account/evolve'
import type { BillingEvent } from '../../billing/events'
import { evolveBilling } from '../../billing/evolve'
import type { Draft } from '../draft'
import { followUps } from '../follow-ups'

/** Events of an account. */
export type AccountChange = AccountEvent | BillingEvent

/**
 * Applies events to an account: adds the account's row, the job at the end of the billing period and the domain events to the draft.
 * Returns the next state.
 */
export function writeAccount(draft: Draft, account: Account, events: readonly AccountChange[]): Account {
  if (events.length === 0) return account
  const after = draft.update('account', account, { ...events.reduce(evolve, account), updatedAt: draft.at })
  if (after.plan !== account.plan) {
    draft.tell({ type: 'plan_changed', accountId: account.id, plan: after.plan, projectId: NO_PROJECT })
  }
  draft.job(...followUps.account(after, events, draft.at))
  return after
}

function evolve(account: Account, event: AccountChange): Account {
  switch (event.type) {
    case 'password_set':
    case 'account_disabled':
    case 'account_enabled':
    case 'sign_in_code_drawn':
    case 'sign_in_code_used':
    case 'factor_begun':
    case 'factor_activated':
    case 'factor_removed':
    case 'factor_sealed_anew':
    case 'code_used':
    case 'recovery_code_used':
    case 'code_wrong':
      return evolveAccount(account, event)
    default:
      return evolveBilling(account, event)
  }
}

/** Project id in the domain events of an account. It is empty, because an account does not belong to a project. */
const NO_PROJECT = ''
