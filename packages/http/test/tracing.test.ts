import { readTraceParent, type Tracing } from '@matchyard/core/ports'
import { FakeTracing, type ToldSpan } from '@matchyard/testkit'
import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Body } from './harness/client'
import { withServer } from './harness/lobby-calls'
import { type Service, startService } from './harness/service'
import { makeBuild, makeLobby, makeQueue, openStudio, type Studio } from './harness/studio'

const ANN = '00-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa-1111111111111111-01'
const BOB = '00-bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb-2222222222222222-01'
const traceOf = (traceparent: string | undefined) => readTraceParent(traceparent)?.traceId
const ENQUEUE = 'POST /v1/lobbies/{lobby_id}/queue'

let tracing: FakeTracing
let service: Service
let studio: Studio

const trace = async (kind: Tracing, makesServer = true) => {
  service = await startService({ app: { tracing: kind }, core: { tracing: kind } })
  studio = await openStudio(service)
  if (makesServer) await makeBuild(service, studio)
}
beforeEach(async () => {
  tracing = new FakeTracing()
  await trace(tracing)
})

const enqueue = async (player: string, traceparent?: string): Promise<Body> => {
  const lobby = await makeLobby(service, studio, player)
  const headers = traceparent === undefined ? {} : { traceparent }
  const path = `/v1/lobbies/${lobby.lobby_id}/queue`
  const { status, body } = await service.call(`POST ${path}`, { key: studio.client, player, headers })
  expect(status).toBe(200)
  return body
}
const match = async () => {
  await service.matchyard.matchmaking.runQueue(`${studio.projectId}/duel`)
  await service.settle()
}
const only = (name: string): ToldSpan => {
  const [span, ...others] = tracing.named(name)
  if (span === undefined || others.length > 0) throw new Error(`${others.length + 1} spans are named ${name}`)
  return span
}

describe('a match of two parties, each with a trace of its own', () => {
  let lobbies: Body[]
  let launched: (string | undefined)[]
  beforeEach(async () => {
    launched = []
    const { orchestrator } = service
    const launch = orchestrator.launch.bind(orchestrator)
    orchestrator.launch = (spec) => {
      launched.push(spec.trace)
      return launch(spec)
    }
    await makeQueue(service, studio, withServer)
    await service.call('POST /v1/webhooks', {
      key: studio.server,
      body: { url: 'https://studio.example/hooks', types: ['match.found', 'match.ended'] },
    })
    tracing.spans.length = 0
    lobbies = [await enqueue('ann', ANN), await enqueue('bob', BOB)]
    service.clock.advance(1_000)
    await match()
  })

  it('is a part of the first one, linked with both, and each wait is in the trace of its own call', () => {
    const calls = tracing.named(ENQUEUE)
    expect(calls.map(({ kind, parent }) => [kind, parent])).toEqual([
      ['server', ANN],
      ['server', BOB],
    ])
    const made = only('match duel')
    expect([made.kind, made.parent, made.links]).toEqual([
      'consumer',
      calls[0]?.traceparent,
      calls.map(({ traceparent }) => traceparent),
    ])
    expect(made.attributes).toMatchObject({
      'messaging.destination.name': 'duel',
      'messaging.batch.message_count': 2,
      'matchyard.project_id': studio.projectId,
    })
    const waits = tracing.named('wait duel')
    expect(waits.map(({ parent }) => parent)).toEqual(calls.map(({ traceparent }) => traceparent))
    for (const { links, startedAt = 0, endedAt = 0, attributes } of waits) {
      expect([links, endedAt - startedAt, attributes['matchyard.outcome']]).toEqual([
        [made.traceparent],
        1_000,
        'matched',
      ])
    }
  })

  it('goes on with its server and its messages, which are told where they belong', async () => {
    const made = only('match duel').traceparent
    const { orchestrator, receiver } = service
    expect(launched).toEqual([made])
    expect([only('launch').parent, only(`spawn ${orchestrator.name}`).parent]).toEqual([made, made])
    const sent = only('send match.found')
    const found = receiver.requests.find(({ request }) => String(request.body).includes('match.found'))
    expect(found?.request.headers).toMatchObject({ traceparent: sent.traceparent })
    expect([sent.parent, sent.attributes['http.response.status_code']]).toEqual([made, 200])
    expect(tracing.named('game')).toEqual([])
    service.clock.advance(60_000)
    const path = `/v1/lobbies/${lobbies[0]?.lobby_id}/end`
    await service.call(`POST ${path}`, { key: studio.server, headers: { traceparent: BOB } })
    await service.settle()
    const game = only('game')
    expect([game.parent, (game.endedAt ?? 0) - (game.startedAt ?? 0)]).toEqual([made, 60_000])
    expect(game.links).toEqual([only('POST /v1/lobbies/{lobby_id}/end').traceparent])
    expect(only('send match.ended').parent).toBe(made)
  })

  it('says nothing of it to callers', async () => {
    const texts = await Promise.all(
      [`GET /v1/lobbies/${lobbies[0]?.lobby_id}`, 'GET /v1/servers', 'GET /v1/matches', 'GET /v1/webhooks'].map(
        async (what) => (await service.call(what, { key: studio.server })).text,
      ),
    )
    const bodies = service.receiver.requests.map(({ request }) => String(request.body))
    for (const text of [...texts, ...bodies]) expect(text).not.toMatch(/traceparent|"trace"|00-[0-9a-f]{32}-/)
  })

  it('holds no key, no player and nothing that players wrote', () => {
    const told = JSON.stringify(tracing.spans)
    for (const secret of [studio.client, studio.server, studio.token, '"ann"', '"bob"']) {
      expect(told).not.toContain(secret)
    }
  })
})

it('a match is a part of the first trace that somebody collects', async () => {
  await makeQueue(service, studio)
  await enqueue('ann', ANN.replace(/01$/, '00'))
  await enqueue('bob', BOB)
  await match()
  expect(traceOf(only('match duel').traceparent)).toBe(traceOf(BOB))
})

it('a stay that ends without a match is told with how it ended', async () => {
  await makeQueue(service, studio)
  const { lobby_id: id } = await enqueue('ann', ANN)
  await service.call(`DELETE /v1/lobbies/${id}/queue`, { key: studio.client, player: 'ann' })
  const { attributes, links, parent } = only('wait duel')
  expect([attributes['matchyard.outcome'], links, traceOf(parent)]).toEqual(['cancelled', [], traceOf(ANN)])
})

it('a match whose players are asked goes on in the trace of its proposal', async () => {
  await makeQueue(service, studio, {
    matchmaking: { teams: 2, players_per_team: 1, ready_check: { timeout: 20 } },
  })
  const lobbies = [await enqueue('ann', ANN), await enqueue('bob', BOB)]
  await match()
  expect(tracing.named('match duel')).toEqual([])
  for (const [index, player] of ['ann', 'bob'].entries()) {
    const path = `/v1/lobbies/${lobbies[index]?.lobby_id}/proposal/accept`
    const { status } = await service.call(`POST ${path}`, { key: studio.client, player })
    expect(status).toBe(200)
  }
  expect(only('match duel').parent).toBe(only('propose duel').traceparent)
  expect(tracing.named('wait duel').map(({ parent }) => traceOf(parent))).toEqual([ANN, BOB].map(traceOf))
})

describe('a traceparent that is none', () => {
  it.each([
    ['nothing', ''],
    ['words', 'hello'],
    ['zeros for a trace', `00-${'0'.repeat(32)}-1111111111111111-01`],
    ['zeros for a span', `00-${'a'.repeat(32)}-${'0'.repeat(16)}-01`],
    ['capitals', ANN.toUpperCase()],
    ['a version that never will be', ANN.replace(/^00/, 'ff')],
    ['more than this version has', `${ANN}-more`],
    ['two of them', `${ANN}, ${BOB}`],
    ['very much', `01${ANN.slice(2)}-${'x'.repeat(4_000)}`],
  ])('is not heard: %s', async (_, traceparent) => {
    await makeQueue(service, studio)
    await enqueue('ann', traceparent)
    const { parent, traceparent: own } = only(ENQUEUE)
    expect([parent, traceOf(own) === traceOf(ANN)]).toEqual([undefined, false])
  })

  it('nor is anything that does not have its form; of a later version what is known counts', () => {
    expect(readTraceParent(`cc${ANN.slice(2)}-what-comes`)).toEqual(readTraceParent(ANN))
    fc.assert(fc.property(fc.string({ maxLength: 80 }), (text) => readTraceParent(text) === undefined))
  })
})

it('without tracing a row is as it was, and the header is nobody’s', async () => {
  service = await startService()
  studio = await openStudio(service)
  await makeQueue(service, studio)
  const [{ lobby_id: id }] = [await enqueue('ann', ANN), await enqueue('bob', BOB)]
  await match()
  const lobby = await service.storage.get('lobby', id)
  const stored = await service.storage.get('match', lobby?.matchId ?? '')
  expect(JSON.stringify([lobby, stored])).not.toContain('trace')
})

it('tracing that fails fails nobody', async () => {
  const broken: Tracing = {
    start: () => {
      throw new Error('no collector')
    },
    within: () => {
      throw new Error('no context')
    },
  }
  await trace(broken)
  await makeQueue(service, studio, withServer)
  const { lobby_id: id } = await enqueue('ann', ANN)
  await enqueue('bob', BOB)
  await match()
  expect((await service.call(`GET /v1/lobbies/${id}`, { key: studio.server })).body.status).toBe('in_game')
})

it('what machines ask every few seconds is no span', async () => {
  tracing.spans.length = 0
  for (const path of ['/', '/livez', '/readyz', '/openapi.json']) await service.call(`GET ${path}`)
  expect(tracing.spans).toEqual([])
})

it('paths show ids of ours alone', async () => {
  await makeQueue(service, studio)
  const { lobby_id: id } = await makeLobby(service, studio)
  await service.call(`PATCH /v1/lobbies/${id}/players/ann`, { key: studio.client, player: 'ann', body: { state: {} } })
  const paths = tracing.spans.map(({ attributes }) => attributes['url.path'])
  expect(paths).toContain(`/v1/lobbies/${id}/players/REDACTED`)
  expect(paths.filter((path) => String(path).includes('ann'))).toEqual([])
})
