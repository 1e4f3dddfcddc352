import type { ValidationIssue } from '../errors/decision'
import { toIso } from '../shared/time'
import type { Message, MessageSubject } from './message'
import type { Webhook } from './webhook'

/** Maximum characters of the text of a message in the shape of Slack or PagerDuty. */
const TEXT_LENGTH = 1_024
/** Parameter of the address that has the key of a PagerDuty service. */
const ROUTING_KEY = 'routing_key'
/** Key of a PagerDuty service. */
const ROUTING_KEY_PATTERN = /^[A-Za-z0-9]{1,64}$/

/** Returns the body of a message in the shape that the webhook asks for; undefined for the plain shape. */
export function shapedBody(webhook: Pick<Webhook, 'url' | 'format'>, message: Message): string | undefined {
  switch (webhook.format) {
    case 'slack':
      return JSON.stringify({ text: forSlack(textOf(message)) })
    case 'pagerduty':
      return JSON.stringify(pagerDutyEvent(webhook.url, message))
    default:
      return undefined
  }
}

/** Returns the faults of a webhook whose shape does not fit its address or its types. */
export function shapeFaults({ url, types, format }: Pick<Webhook, 'url' | 'types' | 'format'>): ValidationIssue[] {
  if (format !== 'pagerduty') return []
  const issues: ValidationIssue[] = []
  if (!ROUTING_KEY_PATTERN.test(routingKeyIn(url)))
    issues.push({
      path: 'url',
      message: `must have the parameter ${ROUTING_KEY} with the key of the PagerDuty service`,
    })
  if (!types.every(isOfProblems))
    issues.push({ path: 'types', message: 'must be problem.opened and problem.closed alone with the format pagerduty' })
  return issues
}

/** Whether messages of the type are about problems. */
export const isOfProblems = (type: string): boolean => type.startsWith('problem.')

/** Returns the key in an address. The address may be any text, because it is examined later. */
const routingKeyIn = (url: string): string => /[?&]routing_key=([^&#]*)/.exec(url)?.[1] ?? ''

function pagerDutyEvent(url: string, { type, subject, projectId, createdAt, ...message }: Message) {
  const problem = subject.kind === 'problem' ? subject.problem : undefined
  return {
    routing_key: routingKeyIn(url),
    event_action: type === 'problem.closed' ? 'resolve' : 'trigger',
    dedup_key: problem?.id ?? `${projectId} test`,
    payload: {
      summary: textOf({ type, subject, projectId, createdAt, ...message }),
      source: projectId,
      severity: problem?.severity ?? 'info',
      timestamp: toIso(createdAt),
      ...(problem === undefined
        ? {}
        : { component: `${problem.subject.kind} ${problem.subject.id}`, class: problem.code }),
    },
  }
}

function textOf({ type, subject }: Message): string {
  const text = subject.kind === 'problem' ? subject.problem.sentence : nameOf(subject)
  return `${WORDS[type] ?? type}: ${text}`.slice(0, TEXT_LENGTH)
}

const WORDS: Readonly<Record<string, string>> = {
  'problem.opened': 'Problem opened',
  'problem.closed': 'Problem closed',
  'webhook.test': 'Test message',
}

function nameOf(subject: MessageSubject): string {
  switch (subject.kind) {
    case 'match':
      return `${subject.match.id} of ${subject.match.queueId}`
    case 'lobby':
      return `${subject.lobby.id} of ${subject.lobby.queueId}`
    case 'server':
      return `${subject.server.id} (${subject.server.versionTag})`
    case 'build':
      return `${subject.build.name} v${subject.build.buildVersion}`
    case 'player':
      return subject.ban.playerId ?? 'an erased player'
    case 'problem':
      return subject.problem.id
    case 'webhook':
      return subject.webhookId
  }
}

/** Returns a text without the signs that Slack reads as links and mentions. */
const forSlack = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
