import type { KeptProblem, Message } from '@matchyard/core'
import { describe, expect, it } from 'vitest'
import { shapedBody, shapeFaults } from '../../src/webhook/shapes'

const problem = {
  ...{ id: 'prb_1', version: 1, projectId: 'prj_1', code: 'servers_crashed', severity: 'error', count: 27 },
  ...{ sentence: 'duel: 27 of <50> crashed & burned. Read the log.', subject: { kind: 'queue', id: 'duel' } },
  ...{ details: {}, openedAt: 0, seenAt: 0, closedAt: null },
} as KeptProblem

const message = (type: Message['type'], subject: Message['subject'] = { kind: 'problem', problem }): Message => ({
  ...{ id: 'msg_1', version: 1, projectId: 'prj_1', type, subject, createdAt: 0 },
})

const URL_WITH_KEY = 'https://events.pagerduty.com/v2/enqueue?routing_key=R0ABC'
const pagerduty = { url: URL_WITH_KEY, format: 'pagerduty' } as const
const bodyOf = (...given: Parameters<typeof shapedBody>) => JSON.parse(String(shapedBody(...given)))

describe('the body of a message', () => {
  it('is a text for Slack, without signs that Slack reads as links', () => {
    const slack = { url: 'https://hooks.slack.com/services/x', format: 'slack' } as const
    expect(bodyOf(slack, message('problem.opened'))).toEqual({
      text: 'Problem opened: duel: 27 of &lt;50&gt; crashed &amp; burned. Read the log.',
    })
    expect(bodyOf(slack, message('webhook.test', { kind: 'webhook', webhookId: 'whk_1' }))).toEqual({
      text: 'Test message: whk_1',
    })
  })

  it('triggers and resolves one incident of PagerDuty', () => {
    const opened = bodyOf(pagerduty, message('problem.opened'))
    expect(opened).toMatchObject({ routing_key: 'R0ABC', event_action: 'trigger', dedup_key: 'prb_1' })
    expect(opened.payload).toEqual({
      summary: 'Problem opened: duel: 27 of <50> crashed & burned. Read the log.',
      ...{ source: 'prj_1', severity: 'error', timestamp: '1970-01-01T00:00:00.000Z' },
      ...{ component: 'queue duel', class: 'servers_crashed' },
    })
    expect(bodyOf(pagerduty, message('problem.closed'))).toMatchObject({
      event_action: 'resolve',
      dedup_key: 'prb_1',
    })
    const long = { ...problem, sentence: 'x'.repeat(5_000) }
    const { payload } = bodyOf(pagerduty, message('problem.opened', { kind: 'problem', problem: long }))
    expect(payload.summary).toHaveLength(1_024)
  })

  it('has no other shape in a plain webhook', () => {
    expect(shapedBody({ url: 'https://a.example' }, message('problem.opened'))).toBeUndefined()
  })
})

it('a webhook of PagerDuty needs a key in its address, and takes problems alone', () => {
  const types = ['problem.opened', 'problem.closed'] as const
  expect(shapeFaults({ ...pagerduty, types })).toEqual([])
  expect(shapeFaults({ ...pagerduty, types: ['match.found'] }).map(({ path }) => path)).toEqual(['types'])
  const noKey = { ...pagerduty, types, url: 'https://events.pagerduty.com/v2/enqueue' }
  expect(shapeFaults(noKey).map(({ path }) => path)).toEqual(['url'])
  expect(shapeFaults({ types: ['match.found'], url: '' })).toEqual([])
})
