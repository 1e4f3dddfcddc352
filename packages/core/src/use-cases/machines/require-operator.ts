import { isOperator } from '../../account/account'
import { ServiceError } from '../../errors/service-error'
import type { Ports } from '../../ports/ports'

/** Input of a call about the machines of the installation. */
export interface ByOperator {
  /** Account of the caller, which must be an operator. Absent: the embedding application itself makes the call. */
  readonly accountId?: string | undefined
}

/** Throws NOT_FOUND when the caller's account is not an operator of the installation, as for a route that does not exist. */
export async function requireOperator(ctx: Ports, { accountId }: ByOperator): Promise<void> {
  if (accountId === undefined) return
  const account = await ctx.storage.get('account', accountId)
  if (account === undefined || !isOperator(account))
    throw new ServiceError('NOT_FOUND', 'only accounts of operators can see the machines of this installation')
}
