import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type HttpEnv, NODE_SERVER_OPTIONS, refuseLongHeads } from '../src/index'
import { type Service, startService } from './harness/service'
import { bodyOf, rawExchange, rawRequest } from './harness/sockets'

let service: Service
let port: number
let close: () => void

beforeAll(async () => {
  service = await startService()
  const byFetch = getRequestListener((request, env) => service.app.fetch(request, env as HttpEnv['Bindings']))
  const server = createServer(NODE_SERVER_OPTIONS, (incoming, outgoing) => {
    if (!service.app.answer(incoming, outgoing)) void byFetch(incoming, outgoing)
  })
  refuseLongHeads(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  port = (server.address() as AddressInfo).port
  close = () => server.close()
})
afterAll(() => close())

const statusOf = (answer: string) => Number(answer.slice(9, 12))
const asked = (headers: readonly string[], line = 'GET /v1/lobbies') => rawExchange(port, rawRequest(line, headers))

describe('the head of a request', () => {
  test('of more than 12 kB is refused with a problem, as 431', async () => {
    const answer = await asked([`x-filler: ${'x'.repeat(13_000)}`])
    expect(statusOf(answer)).toBe(431)
    expect(answer).toMatch(/content-type: application\/problem\+json/)
    expect(bodyOf(answer)).toMatchObject({
      status: 431,
      code: 'PAYLOAD_TOO_LARGE',
      detail: 'the request the request line and the headers are together longer than 12288 bytes',
      request_id: expect.stringMatching(/^req_/),
    })
    expect(statusOf(await asked([], `GET /v1/lobbies?x=${'x'.repeat(13_000)}`))).toBe(431)
  })

  test('has room for the longest player token and half as much besides', async () => {
    const answer = await asked([`authorization: Bearer ${'x'.repeat(8_192)}`, `x-filler: ${'x'.repeat(3_500)}`])
    expect([statusOf(answer), bodyOf(answer).code]).toEqual([401, 'INVALID_SESSION_TOKEN'])
  })

  test('of more than a hundred headers is refused with a problem, as 431', async () => {
    const headers = (count: number) => Array.from({ length: count }, (_, n) => `x-${n}: 1`)
    // `host` and `connection` are two more headers, so 98 make 100.
    expect(bodyOf(await asked(headers(98)))).toMatchObject({ code: 'MISSING_CREDENTIALS' })
    for (const count of [99, 1_000]) {
      expect(bodyOf(await asked(headers(count)))).toMatchObject({ status: 431, code: 'PAYLOAD_TOO_LARGE' })
    }
  })

  test('that is no HTTP is answered as Node answers it', async () => {
    expect(await rawExchange(port, 'nonsense\r\n\r\n')).toBe('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n')
  })
})

describe('a content-type', () => {
  const login = (type: string) =>
    service.call('POST /v1/auth/login', {
      raw: '{"email":"a@b.example","password":"x"}',
      headers: { 'content-type': type },
    })

  test.each([
    'application/json',
    'Application/JSON',
    'application/json;charset=utf-8',
    'application/json \t; charset="UTF-8" ',
    'application/json; ',
  ])('%s is JSON', async (type) => {
    expect((await login(type)).status).not.toBe(415)
  })

  test.each([
    'text/plain',
    'application/json; charset=latin1',
    'application/json; charset=utf-8; x=1',
    'application/jsonx',
    `application/json;${' '.repeat(7_000)}x`,
  ])('%s is refused, and repeated no longer than a line', async (type) => {
    const { status, body } = await login(type)
    expect([status, body.code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE'])
    expect(body.detail.length).toBeLessThan(250)
  })
})

test('an accept that names what every object has is answered as any other', async () => {
  for (const accept of ['__proto__', 'constructor', 'toString']) {
    const { status, headers } = await service.call('GET /errors', { headers: { accept } })
    expect([status, headers.get('content-type')]).toEqual([200, 'application/json'])
  }
})
