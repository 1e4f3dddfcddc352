import { WEBHOOK_DESCRIPTION_LENGTH, WEBHOOK_URL_LENGTH } from '../catalog/limits'
import { MESSAGE_TYPES, type MessageType } from '../catalog/message-types'
import { UNSEEN_RULE } from '../catalog/names'
import type { ValidationIssue } from '../errors/decision'
import type { Listener } from '../project/project'
import { isWellFormed } from '../shared/json'
import { holdsUnseen } from '../shared/plain-text'
import type { Instant } from '../shared/time'
import type { WebhookChanges } from './events'
import { isOfProblems } from './shapes'
import { CUT } from './shown-url'
import { WEBHOOK_FORMATS, type Webhook, type WebhookFormat } from './webhook'

export interface WebhookDesign extends Pick<Webhook, 'id' | 'projectId' | 'accountId' | 'url'> {
  readonly types?: readonly MessageType[] | undefined
  readonly description?: string | null | undefined
  readonly format?: WebhookFormat | undefined
  readonly seed: string
  readonly at: Instant
}

/** Returns a new webhook. Without `types` it subscribes to all types that exist at this time; for PagerDuty, to those of problems. */
export function newWebhook({ types, description, format, seed, at, ...given }: WebhookDesign): Webhook {
  return {
    ...given,
    version: 1,
    types: types ?? (format === 'pagerduty' ? MESSAGE_TYPES.filter(isOfProblems) : MESSAGE_TYPES),
    ...(format === undefined || format === 'plain' ? {} : { format }),
    description: description ?? null,
    enabled: true,
    disabledReason: null,
    secrets: [{ seed, until: null }],
    failingSince: null,
    createdAt: at,
    updatedAt: at,
  }
}

/**
 * Returns the faults of a webhook's settings. The address is checked separately, by resolving its name. The types of the values are checked
 * too, because every commit of the project reads them: an invalid value from JavaScript code would make all commits fail.
 */
export function webhookFaults(wish: { readonly [Name in keyof WebhookChanges]: unknown }): ValidationIssue[] {
  const { url, types, enabled, description, format } = wish
  const issues: ValidationIssue[] = []
  const add = (path: string, message: string) => issues.push({ path, message })
  const { max } = WEBHOOK_URL_LENGTH
  if (url !== undefined && (!isText(url, max) || url === '')) add('url', `must be 1 to ${max} characters long`)
  else if (isText(url, max) && url.includes(CUT))
    add('url', `must be the whole address: ${CUT} stands for a part that your role may not read`)
  if (description != null && !isText(description, WEBHOOK_DESCRIPTION_LENGTH.max)) {
    add('description', `must be at most ${WEBHOOK_DESCRIPTION_LENGTH.max} characters long`)
  } else if (description != null && holdsUnseen(description)) add('description', UNSEEN_RULE)
  if (enabled !== undefined && typeof enabled !== 'boolean') add('enabled', 'must be true or false')
  if (format !== undefined && !WEBHOOK_FORMATS.includes(format as WebhookFormat))
    add('format', `must be one of ${WEBHOOK_FORMATS.join(', ')}`)
  if (types === undefined) return issues
  if (!Array.isArray(types)) add('types', 'must be a list of event types')
  else if (types.length === 0) add('types', 'must contain at least one event type')
  else issues.push(...typeFaults(types))
  return issues
}

function typeFaults(types: readonly unknown[]): ValidationIssue[] {
  const known: readonly unknown[] = MESSAGE_TYPES
  const named = new Set<unknown>()
  return types.flatMap((type, index) => {
    const path = `types.${index}`
    if (!known.includes(type)) return [{ path, message: `must be one of ${MESSAGE_TYPES.join(', ')}` }]
    if (named.has(type)) return [{ path, message: 'appears twice' }]
    named.add(type)
    return []
  })
}

const isText = (value: unknown, max: number): value is string =>
  typeof value === 'string' && isWellFormed(value) && [...value].length <= max

/** Returns the part of a webhook that is stored in its project's row. */
export const listenerOf = ({ id, types, enabled }: Webhook): Listener => ({ webhookId: id, types, enabled })
