import type { Caller } from '../access/caller'
import { roleIn } from '../access/role-in'
import { isAtLeast } from '../catalog/roles'
import { shownUrl } from './shown-url'
import type { Webhook } from './webhook'

/** Returns a webhook as a caller sees it: with a role below `admin` without the path and the query of its address, which may hold a secret. */
export function webhookAsSeenBy(webhook: Webhook, caller: Caller): Webhook {
  const role = roleIn(caller, webhook)
  const seesAll = role !== undefined && isAtLeast(role, 'admin')
  return seesAll ? webhook : { ...webhook, url: shownUrl(webhook.url) }
}
