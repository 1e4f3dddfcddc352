import { WEBHOOK_DESCRIPTION_LENGTH, WEBHOOK_URL_LENGTH } from '../catalog/limits'
import { MESSAGE_TYPES, type MessageType } from '../catalog/message-types'
import type { ValidationIssue } from '../errors/decision'
import type { Listener } from '../project/project'
import type { Instant } from '../shared/time'
import type { WebhookChanges } from './events'
import type { Webhook } from './webhook'

export interface WebhookDesign extends Pick<Webhook, 'id' | 'projectId' | 'accountId' | 'url'> {
  readonly types?: readonly MessageType[] | undefined
  readonly description?: string | null | undefined
  readonly seed: string
  readonly at: Instant
}

/** Without types it is told of everything there is now. */
export function newWebhook({ types, description, seed, at, ...given }: WebhookDesign): Webhook {
  return {
    ...given,
    version: 1,
    types: types ?? MESSAGE_TYPES,
    description: description ?? null,
    enabled: true,
    disabledReason: null,
    secrets: [{ seed, until: null }],
    failingSince: null,
    createdAt: at,
    updatedAt: at,
  }
}

/** What is wrong with what an endpoint is to be. Whether its address may be called is judged where it can be resolved. */
export function webhookFaults({ url, types, description }: WebhookChanges): ValidationIssue[] {
  const issues: ValidationIssue[] = []
  const tooLong = (text: string, max: number) => [...text].length > max
  if (url !== undefined && (url.length === 0 || tooLong(url, WEBHOOK_URL_LENGTH.max))) {
    issues.push({ path: 'url', message: `must be 1 to ${WEBHOOK_URL_LENGTH.max} characters long` })
  }
  if (description != null && tooLong(description, WEBHOOK_DESCRIPTION_LENGTH.max)) {
    issues.push({ path: 'description', message: `must be at most ${WEBHOOK_DESCRIPTION_LENGTH.max} characters long` })
  }
  if (types?.length === 0) issues.push({ path: 'types', message: 'must name one type at least' })
  for (const [index, type] of (types ?? []).entries()) {
    if (!MESSAGE_TYPES.includes(type)) {
      issues.push({ path: `types.${index}`, message: `must be one of ${MESSAGE_TYPES.join(', ')}` })
    } else if (types?.indexOf(type) !== index) issues.push({ path: `types.${index}`, message: 'is named twice' })
  }
  return issues
}

/** What its project's row knows of it. */
export const listenerOf = ({ id, types, enabled }: Webhook): Listener => ({ webhookId: id, types, enabled })
