import { describe, expect, it } from 'vitest'
import type { Document, Operation } from '../generate/document'
import { EXCEPTIONS } from '../generate/exceptions'
import { adminCallsOf } from '../generate/operations'
import { resourcesOf } from '../generate/resources'
import { createAdmin } from '../src/admin/index'

const operation = (operationId: string, security = [{ serverKey: [] }]): Operation => ({
  operationId,
  summary: 'A new thing.',
  security,
  parameters: [{ name: 'server_id', in: 'path', required: true, schema: { type: 'string' } }],
  responses: {
    204: { description: 'Done.' },
    404: { description: '[SERVER_NOT_FOUND](./errors/SERVER_NOT_FOUND), [INTERNAL](./errors/INTERNAL)' },
  },
})

/** Returns a document with every operation of the table of exceptions, and one more. */
const withOne = (one: Operation): Document => ({
  components: { schemas: {} },
  paths: {
    ...Object.fromEntries(Object.keys(EXCEPTIONS).map((id) => [`/v1/${id}`, { get: operation(id) }])),
    '/v1/servers/{server_id}/new': { post: one },
  },
})

describe('a new operation', () => {
  it('of a backend is a method with its words and refusals', () => {
    expect(resourcesOf(withOne(operation('servers.renew')))).toContain(
      [
        '  /** A new thing. Rejects with `SERVER_NOT_FOUND`. */',
        '  renew(serverId: string): Promise<void> {',
        "    return this.call('POST', `/servers/${part(serverId)}/new`)",
        '  }',
      ].join('\n'),
    )
  })

  it('of players is none', () => {
    const ofPlayers = operation('servers.renew', [{ serverKey: [] }, { clientKey: [] }] as never)
    expect(adminCallsOf(withOne(ofPlayers)).map(({ method }) => method)).not.toContain('renew')
  })

  it('of a kind that has no resource is not forgotten', () => {
    expect(() => resourcesOf(withOne(operation('tournaments.renew')))).toThrow(
      'tournaments.renew has no resource: see RESOURCES, LEFT_OUT and EXCEPTIONS in packages/client/generate/exceptions.ts',
    )
  })
})

describe('a list', () => {
  const admin = (answers: unknown[]) => {
    const asked: string[] = []
    const fetch = async (url: unknown) => {
      asked.push(String(url))
      return Response.json(answers.shift())
    }
    return { asked, admin: createAdmin({ baseUrl: 'http://play', serverKey: 'sk', platform: { fetch } }) }
  }

  it('is asked for by the names of the interface', async () => {
    const { admin: client, asked } = admin([{ data: [], has_more: false }])
    for await (const _ of client.servers.list({ matchId: 'mat_1', status: 'running' }));
    expect(asked).toEqual(['http://play/v1/servers?status=running&match_id=mat_1&limit=100&offset=0'])
  })

  it('goes on from a cursor until there is none', async () => {
    const { admin: client, asked } = admin([
      { data: [1], next_cursor: 'a' },
      { data: [2], next_cursor: null },
    ])
    const seen: unknown[] = []
    for await (const arrival of client.queues.arrivals('arena')) seen.push(arrival)
    expect(seen).toEqual([1, 2])
    expect(asked[1]).toBe('http://play/v1/queues/arena/arrivals?limit=1000&cursor=a')
  })

  it('of a leaderboard goes by cursor, which the service demands', async () => {
    const { admin: client, asked } = admin([{ data: [1], next_cursor: 'a' }, { data: [2] }])
    const seen: unknown[] = []
    for await (const standing of client.ratings.leaderboard('duel', { season: '' })) seen.push(standing)
    expect(seen).toEqual([1, 2])
    expect(asked).toEqual([
      'http://play/v1/ratings/duel/leaderboard?season=&limit=100',
      'http://play/v1/ratings/duel/leaderboard?season=&limit=100&cursor=a',
    ])
  })
})
