import { describe, expect, test } from 'vitest'
import { MESSAGE_TYPES } from '../../src/catalog/message-types'
import type { Match } from '../../src/match/match'
import type { Project } from '../../src/project/project'
import { listenersTo } from '../../src/project/project'
import {
  changeWebhook,
  decideRotateSecret,
  FAILING_MS,
  mayAddWebhook,
  noteAnswer,
  OLD_SECRET_MS,
} from '../../src/webhook/decide'
import type { WebhookEvent } from '../../src/webhook/events'
import { evolveWebhookAll } from '../../src/webhook/evolve'
import { type Message, newMessage, plainBody } from '../../src/webhook/message'
import { listenerOf, newWebhook, webhookFaults } from '../../src/webhook/new-webhook'
import type { Webhook } from '../../src/webhook/webhook'

const fresh = (parts: Partial<Webhook> = {}): Webhook => ({
  ...newWebhook({ id: 'whk', projectId: 'prj', accountId: 'acc', url: 'https://a.example', seed: 's1', at: 0 }),
  ...parts,
})
const project = (listeners?: Project['listeners']): Project => ({
  ...{ id: 'prj', version: 1, accountId: 'acc', name: 'P', slug: 'p', createdAt: 0, updatedAt: 0, deletedAt: null },
  ...(listeners && { listeners }),
})
const after = (webhook: Webhook, events: readonly WebhookEvent[]) => evolveWebhookAll(webhook, events)

describe('a project', () => {
  test('has ten webhooks at most, disabled ones counted', () => {
    const some = (count: number) =>
      Array.from({ length: count }, (_, n) => listenerOf(fresh({ id: `${n}`, enabled: false })))
    expect(mayAddWebhook(project()).ok).toBe(true)
    expect(mayAddWebhook(project(some(9))).ok).toBe(true)
    expect(mayAddWebhook(project(some(10)))).toMatchObject({ ok: false, rejected: { code: 'WEBHOOK_LIMIT' } })
  })

  test('tells those who are enabled and want to know, and nobody once it is deleted', () => {
    const all = listenerOf(fresh({ id: 'all' }))
    const builds = listenerOf(fresh({ id: 'builds', types: ['build.ready'] }))
    const off = listenerOf(fresh({ id: 'off', enabled: false }))
    const to = (type: (typeof MESSAGE_TYPES)[number], parts: Partial<Project> = {}) =>
      listenersTo({ ...project([all, builds, off]), ...parts }, type).map(({ webhookId }) => webhookId)
    expect(to('build.ready')).toEqual(['all', 'builds'])
    expect(to('match.found')).toEqual(['all'])
    expect(to('match.found', { deletedAt: 5 })).toEqual([])
    expect(listenersTo(project(), 'match.found')).toEqual([])
  })
})

describe('a webhook', () => {
  test('changes by what differs, and only then', () => {
    expect(changeWebhook(fresh(), { url: 'https://a.example', enabled: true }, 5)).toEqual([])
    const changed = after(fresh(), changeWebhook(fresh(), { types: ['match.ended'] }, 5))
    expect(changed).toMatchObject({ types: ['match.ended'], version: 2, updatedAt: 5 })
  })

  test('has the secret of before beside it for a day, and none from before that', () => {
    const once = after(fresh(), decideRotateSecret(fresh(), 's2', 10))
    expect(once.secrets).toEqual([
      { seed: 's2', until: null },
      { seed: 's1', until: 10 + OLD_SECRET_MS },
    ])
    expect(after(once, decideRotateSecret(once, 's3', 20)).secrets.map(({ seed }) => seed)).toEqual(['s3', 's2'])
  })

  test('is disabled at once by who is gone, and after five days of nothing but failures', () => {
    const gone = after(fresh(), noteAnswer(fresh(), 'gone', 1))
    expect(gone).toMatchObject({ enabled: false, disabledReason: 'gone' })
    const failing = after(fresh(), noteAnswer(fresh(), 'failed', 1))
    expect(failing).toMatchObject({ enabled: true, failingSince: 1 })
    expect(noteAnswer(failing, 'failed', FAILING_MS)).toEqual([])
    const disabled = after(failing, noteAnswer(failing, 'failed', 1 + FAILING_MS))
    expect(disabled).toMatchObject({ enabled: false, disabledReason: 'failing' })
    const again = after(disabled, changeWebhook(disabled, { enabled: true }, 9))
    expect(again).toMatchObject({ enabled: true, disabledReason: null, failingSince: null })
  })

  test('begins anew at another address: what failed was the one before', () => {
    const failing = after(fresh(), noteAnswer(fresh(), 'failed', 1))
    const moved = after(failing, changeWebhook(failing, { url: 'https://b.example' }, FAILING_MS))
    expect(moved).toMatchObject({ url: 'https://b.example', failingSince: null })
    expect(after(moved, noteAnswer(moved, 'failed', 1 + FAILING_MS))).toMatchObject({ enabled: true })
    expect(after(failing, changeWebhook(failing, { description: 'b' }, 9))).toMatchObject({ failingSince: 1 })
  })

  test('forgets its failures with one success, and writes nothing where there were none', () => {
    const failing = after(fresh(), noteAnswer(fresh(), 'failed', 1))
    expect(after(failing, noteAnswer(failing, 'taken', 2)).failingSince).toBeNull()
    expect(noteAnswer(fresh(), 'taken', 2)).toEqual([])
  })

  test.each([
    [{ url: '' }, 'url'],
    [{ url: 'x'.repeat(2_049) }, 'url'],
    [{ description: 'x'.repeat(257) }, 'description'],
    [{ types: [] }, 'types'],
    [{ types: ['match.lost' as never] }, 'types.0'],
    [{ types: ['match.found', 'match.found'] as const }, 'types.1'],
    [{ types: null }, 'types'],
    [{ types: 'match.found' }, 'types'],
    [{ url: null }, 'url'],
    [{ url: 'https://a.example/\ud800' }, 'url'],
    [{ url: 'https://a.example/…' }, 'url'],
    [{ description: 7 }, 'description'],
    [{ enabled: 'no' }, 'enabled'],
  ])('is not %j', (changes, path) => {
    expect(webhookFaults(changes).map((issue) => issue.path)).toEqual([path])
  })

  test('may be anything else', () => {
    expect(webhookFaults({ url: 'https://a.example', description: null, types: MESSAGE_TYPES })).toEqual([])
  })
})

test('the body for an embedding application has the match without the way in which a rating counted it', () => {
  const match = { id: 'mat', status: 'ended', counted: { ratingKey: 'prj/ladder@1' } } as unknown as Match
  const subject: Message['subject'] = { kind: 'match', match, server: null }
  const body = plainBody(newMessage({ id: 'msg', projectId: 'prj', type: 'match.ended', subject, createdAt: 5 }))
  expect(JSON.parse(body).data).toEqual({ id: 'mat', status: 'ended', server: null })
})
