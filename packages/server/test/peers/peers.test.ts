import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Matchyard, type ObservedBatch, ServiceError } from '@matchyard/core'
import { AGENT_BATCH } from '@matchyard/core/domain'
import type { PeerLogQuery, ServerLogLine } from '@matchyard/core/ports'
import { batchText } from '@matchyard/http'
import { peerTokens, tokens } from '@matchyard/node'
import { FakeLogger } from '@matchyard/testkit'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type AnsweredPeers, withPeers } from '../../src/peers/answer-peers'
import { askPeers } from '../../src/peers/ask-peers'
import { sha256Of, tellHolder } from '../../src/peers/tell-holder'

const SECRET = 'a secret of thirty-two bytes or more'
const clock = { now: () => Date.now() }
const proofs = (secret = SECRET) => peerTokens(tokens(secret), clock)
const LINES: ServerLogLine[] = [{ at: 1_800_000_000_000, stream: 'stderr', message: 'é 😀' }]
const URL_HERE = 'http://node.internal'
const MACHINE_BATCH: ObservedBatch = { session: 'ses_1', number: 3, answers: [{ number: 1, value: 'é' }], hints: [''] }
const QUERY: PeerLogQuery = { nodeId: 'node-1', projectId: 'prj_1', instanceId: 'srv_1', limit: 5 }

const askedWithin = (withinMs?: number) =>
  askPeers({ url: undefined, tokens: proofs(), ...(withinMs === undefined ? {} : { withinMs }) })

/** Starts a server that answers at a PEER_URL. */
async function peer(answer: RequestListener): Promise<string> {
  const server = createServer(answer)
  onTestFinished(() => void server.close().closeAllConnections())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

describe('what asks another node', () => {
  const json =
    (body: unknown): RequestListener =>
    (_, response) =>
      void response.end(JSON.stringify(body))

  it('takes lines for an answer', async () => {
    expect(await askedWithin().logs(await peer(json({ lines: LINES })), QUERY)).toEqual(LINES)
  })

  it.each<[what: string, answer: RequestListener, reason: RegExp]>([
    ['that follows no redirect', (_, r) => void r.writeHead(302, { location: '/elsewhere' }).end(), /said 302/],
    ['with another secret', (_, r) => void r.writeHead(401).end(), /the same MATCHYARD_SECRET/],
    ['that is busy', (_, r) => void r.writeHead(503).end(), /too much to do/],
    ['that is no node', (_, r) => void r.end('hello'), /is no node/],
    ['with lines that are none', json({ lines: [{ at: 1e20, stream: 'stdout', message: '' }] }), /is no node/],
    [
      'with more lines than were asked for',
      json({ lines: [...LINES, ...LINES, ...LINES, ...LINES, ...LINES, ...LINES] }),
      /is no node/,
    ],
    ['without an end', (_, r) => void r.end(Buffer.alloc(4 * 1024 ** 2 + 1, 'x')), /more than 4194304 bytes/],
    ['that hangs up', (request) => void request.socket.destroy(), /the connection failed/],
  ])('names the fault of one %s', async (_, answer, reason) => {
    const asking = askedWithin().logs(await peer(answer), QUERY)
    await expect(asking).rejects.toMatchObject({ name: 'PeerSilent', reason: expect.stringMatching(reason) })
  })

  it('waits for no longer than it may', async () => {
    const asking = askedWithin(50).logs(await peer(() => {}), QUERY)
    await expect(asking).rejects.toMatchObject({ name: 'PeerSilent', reason: 'none within 0.05 s' })
  })
})

describe('what answers another node', () => {
  const logger = new FakeLogger()
  function node(
    answerPeer: AnsweredPeers['matchyard']['answerPeer'] = async () => LINES,
    hear: Matchyard['agents']['hear'] = () => 'heard',
  ) {
    const agents = { hear } as Matchyard['agents']
    const asked: PeerLogQuery[] = []
    const told: unknown[] = []
    const door = withPeers(
      { refusePage: async () => undefined },
      { fetch: async () => new Response('the service'), answer: () => false },
      {
        matchyard: {
          agents,
          answerPeer(query) {
            asked.push(query)
            return answerPeer(query)
          },
        },
        tokens: proofs(),
        url: URL_HERE,
        logger,
        trustedProxies: 0,
        now: () => 0,
        onAnswer: (request) => told.push(request),
      },
    )
    const call = async (authorization?: string, path = '/peer/server-logs') => {
      const headers = authorization === undefined ? {} : { authorization }
      return door.fetch(new Request(`http://node.internal${path}`, { headers }))
    }
    const post = (authorization: string | undefined, body: string) => {
      const headers = authorization === undefined ? {} : { authorization }
      return door.fetch(new Request(`${URL_HERE}/peer/agent-batch`, { method: 'POST', headers, body }))
    }
    return { call, post, asked, told }
  }

  it('answers the question of its token', async () => {
    const { call, asked } = node()
    const answer = await call(`Bearer ${await proofs().issue(QUERY)}`)
    expect([answer.status, await answer.json()]).toEqual([200, { lines: LINES }])
    expect(asked).toEqual([QUERY])
  })

  it('asks nothing of the service for a stranger, and tells no token', async () => {
    const { call, asked, told } = node()
    const token = await proofs('another secret of 32 bytes or more').issue(QUERY)
    for (const authorization of [undefined, 'Bearer x', `Bearer ${token}`, `Basic ${token}`]) {
      const answer = await call(authorization)
      expect([answer.status, await answer.text()]).toEqual([401, ''])
    }
    expect(asked).toEqual([])
    expect(JSON.stringify(told)).not.toContain(token.slice(-20))
  })

  it('says no more than that it cannot', async () => {
    const authorization = `Bearer ${await proofs().issue(QUERY)}`
    const busy = node(() => Promise.reject(new ServiceError('UNAVAILABLE', 'four are being read')))
    expect((await busy.call(authorization)).status).toBe(503)
    const broken = node(() => Promise.reject(new Error('EIO')))
    expect((await broken.call(authorization)).status).toBe(500)
  })

  it('leaves the rest to the service', async () => {
    for (const path of ['/', '/peer', '/peer/server-logs/', '/v1/x?y=/peer/server-logs']) {
      expect(await (await node().call(undefined, path)).text()).toBe('the service')
    }
  })

  const bearer = async (body: string, url = URL_HERE, secret = SECRET) =>
    `Bearer ${await proofs(secret).issueBatch({ url, machineId: 'fra-1', sha256: sha256Of(body) })}`

  it('takes the batch of an agent that the token is about', async () => {
    const heard: unknown[] = []
    const { post, told } = node(undefined, (input) => {
      heard.push(input)
      return heard.length === 1 ? 'heard' : 'elsewhere'
    })
    const body = batchText(MACHINE_BATCH)
    const answer = await post(await bearer(body), body)
    expect([answer.status, await answer.json()]).toEqual([200, { taken: 'heard' }])
    expect(heard).toEqual([{ machineId: 'fra-1', batch: MACHINE_BATCH }])
    expect((await post(await bearer(body), body)).status).toBe(404)
    expect(told).toMatchObject([{ operation: 'peer.agentBatch' }, { operation: 'peer.agentBatch' }])
  })

  it('takes no batch of a stranger, with other bytes, for another node, or of another form', async () => {
    const heard: unknown[] = []
    const { post } = node(undefined, (input) => {
      heard.push(input)
      return 'heard'
    })
    const body = batchText(MACHINE_BATCH)
    const query = `Bearer ${await proofs().issue(QUERY)}`
    const statuses = []
    for (const [authorization, sent] of [
      [undefined, body],
      [query, body],
      [await bearer(body, URL_HERE, 'another secret of 32 bytes or more'), body],
      [await bearer(body, 'http://node-2.internal'), body],
      [await bearer(body), `${body} `],
      [await bearer('{}'), '{}'],
      [await bearer('x'.repeat(AGENT_BATCH.bytes + 1)), 'x'.repeat(AGENT_BATCH.bytes + 1)],
    ] as const)
      statuses.push((await post(authorization, sent)).status)
    expect(statuses).toEqual([401, 401, 401, 401, 401, 400, 413])
    expect(heard).toEqual([])
  })
})

describe('what passes the batch of an agent', () => {
  const told = { machineId: 'fra-1', batch: MACHINE_BATCH }
  const passes = (withinMs?: number) =>
    tellHolder({ tokens: proofs(), ...(withinMs === undefined ? {} : { withinMs }) })

  it('returns the answer of the other node', async () => {
    expect(await passes()(await peer((_, r) => void r.end('{"taken":"repeated"}')), told)).toBe('repeated')
    expect(await passes()(await peer((_, r) => void r.writeHead(404).end()), told)).toBe('elsewhere')
  })

  it.each<[what: string, answer: RequestListener]>([
    ['follows no redirect', (_, r) => void r.writeHead(302, { location: '/elsewhere' }).end()],
    ['is refused', (_, r) => void r.writeHead(401).end()],
    ['is answered by no node', (_, r) => void r.end('hello')],
    ['gets an answer without an end', (_, r) => void r.end(Buffer.alloc(2_000, 'x'))],
    ['gets no answer', () => {}],
  ])('is unavailable when it %s', async (_, answer) => {
    const passing = passes(200)(await peer(answer), told)
    await expect(passing).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  })
})
