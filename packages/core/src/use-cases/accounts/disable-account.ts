import { decideDisableAccount as decideDisable, decideEnableAccount as decideEnable } from '../../account/decide'
import { ofAccount } from '../../commit/of-account'
import { change } from '../../commit/transact'
import type { Service } from '../../node/service'

/**
 * Ends an account's sessions, and refuses its keys and logins, on every node from the answer on. Event streams, feeds and waits that its keys
 * opened end within a second, and its webhooks are sent nothing more. Game servers and their matches go on. Again changes nothing.
 */
export async function disableAccount(ctx: Service, input: { readonly accountId: string }): Promise<void> {
  await change(ctx, ofAccount, input.accountId, decideDisable)
}

/** Takes it back: keys and the password work again; sessions from before stay dead. */
export async function enableAccount(ctx: Service, input: { readonly accountId: string }): Promise<void> {
  await change(ctx, ofAccount, input.accountId, decideEnable)
}
