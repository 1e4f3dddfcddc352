import type { Account } from '../../account/account'
import type { BillingEvent } from '../../billing/events'
import { evolveBilling } from '../../billing/evolve'
import type { Draft } from '../draft'
import { followUps } from '../follow-ups'

/** Applies billing events to an account: the row, the job of the period's end, what is told. Answers the next state. */
export function writeAccount(draft: Draft, account: Account, events: readonly BillingEvent[]): Account {
  if (events.length === 0) return account
  const after = draft.update('account', account, { ...events.reduce(evolveBilling, account), updatedAt: draft.at })
  if (after.plan !== account.plan) {
    draft.tell({ type: 'plan_changed', accountId: account.id, plan: after.plan, projectId: NO_PROJECT })
  }
  draft.job(...followUps.account(after))
  return after
}

/** An account is above its projects. */
const NO_PROJECT = ''
