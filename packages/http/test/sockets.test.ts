import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { unreadableRequest } from '../src/index'
import { type Service, startService } from './harness/service'
import { bodyOf, type Listening, listen, rawExchange, rawRequest } from './harness/sockets'
import { makeQueue, openStudio, type Studio } from './harness/studio'

let service: Service
let studio: Studio
let listening: Listening

beforeAll(async () => {
  service = await startService({ core: { maxUploadBytes: 300_000 } })
  studio = await openStudio(service)
  await makeQueue(service, studio)
  listening = await listen(service.app)
})
afterAll(() => listening.close())

const chunk = (text: string) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`
const createLine = 'POST /v1/lobbies'
const createHeaders = () => [`api-key: ${studio.client}`, 'x-player-id: ann', 'content-type: application/json']
const statusOf = (answer: string) => Number(answer.slice(9, 12))

describe('bodies on a socket', () => {
  test('arrive in chunks, also split inside a character', async () => {
    const body = Buffer.from('{"queue_id":"duel","name":"é"}')
    const at = body.indexOf(0xc3) + 1
    const parts = [body.subarray(0, at), body.subarray(at)].map((part) =>
      Buffer.concat([Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from('\r\n')]),
    )
    const head = rawRequest(createLine, [...createHeaders(), 'transfer-encoding: chunked'])
    const answer = await rawExchange(
      listening.port,
      Buffer.concat([Buffer.from(head), ...parts, Buffer.from('0\r\n\r\n')]),
    )
    expect([statusOf(answer), bodyOf(answer).name]).toEqual([201, 'é'])
  })

  test('over 64 kB are PAYLOAD_TOO_LARGE, announced or not', async () => {
    const large = `{"queue_id":"duel","name":"${'x'.repeat(70_000)}"}`
    const announced = rawRequest(createLine, [...createHeaders(), `content-length: ${large.length}`], large)
    const chunked = rawRequest(
      createLine,
      [...createHeaders(), 'transfer-encoding: chunked'],
      `${chunk(large)}0\r\n\r\n`,
    )
    for (const request of [announced, chunked]) {
      const answer = await rawExchange(listening.port, request)
      expect([statusOf(answer), bodyOf(answer).code]).toEqual([413, 'PAYLOAD_TOO_LARGE'])
    }
  })

  test('an endless body is cut off, not collected', async () => {
    const head = rawRequest(createLine, [...createHeaders(), 'transfer-encoding: chunked'])
    const answer = await new Promise<string>((resolve, reject) => {
      let text = ''
      const socket = connect(listening.port, '127.0.0.1', () => socket.write(head))
      const more = () => {
        while (!socket.destroyed && socket.writable && socket.write(chunk('x'.repeat(16_000)))) if (text !== '') return
      }
      socket.on('connect', more)
      socket.on('drain', more)
      socket.on('data', (data) => {
        text += data
      })
      socket.on('close', () => resolve(text))
      socket.on('error', (error) => (text === '' ? reject(error) : resolve(text)))
    })
    expect(bodyOf(answer).code).toBe('PAYLOAD_TOO_LARGE')
  })

  test('one that breaks off leaves the service answering', async () => {
    const half = rawRequest(createLine, [...createHeaders(), 'content-length: 500'], '{"queue_id":')
    await new Promise<void>((resolve) => {
      const socket = connect(listening.port, '127.0.0.1', () => socket.write(half, () => socket.destroy()))
      socket.on('close', () => resolve())
    })
    expect((await fetch(`${listening.url}/livez`)).status).toBe(200)
    expect(service.logger.lines.filter(({ level }) => level === 'error')).toEqual([])
  })
})

describe('requests that make no address', () => {
  test.each(['host: a b', 'host: x:y', 'x-nothing: 1'])('%s is a problem all the same', async (header) => {
    const listener = getRequestListener(service.app.fetch, { errorHandler: unreadableRequest })
    const server = createServer({ requireHostHeader: false }, listener)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const answer = await rawExchange(port, `GET /livez HTTP/1.1\r\nconnection: close\r\n${header}\r\n\r\n`)
    expect([statusOf(answer), bodyOf(answer).code]).toEqual([400, 'VALIDATION_FAILED'])
    expect(answer).toMatch(/x-request-id: req_/i)
    await new Promise((resolve) => server.close(resolve))
  })
})

describe('uploads on a socket', () => {
  const newUpload = async (name: string) => {
    const body = { name, executable_path: 'server' }
    return (await service.call('POST /v1/builds/upload-url', { key: studio.server, body })).body
  }
  const put = async (upload: { upload_url: string }, body: string | Uint8Array<ArrayBuffer>) => {
    const { pathname, search } = new URL(upload.upload_url)
    return fetch(`${listening.url}${pathname}${search}`, { method: 'PUT', body })
  }

  test('are streamed past the limit of other bodies, whatever their content type', async () => {
    const upload = await newUpload('large')
    const bytes = new Uint8Array(200_000).fill(7)
    expect((await put(upload, bytes)).status).toBe(204)
    expect(service.buildStore.archives.get(upload.build_id)?.byteLength).toBe(200_000)
  })

  test('that are too large, or refused, do not spend the URL', async () => {
    const upload = await newUpload('twice')
    const large = await put(upload, new Uint8Array(300_001))
    expect([large.status, ((await large.json()) as { code: string }).code]).toEqual([413, 'PAYLOAD_TOO_LARGE'])
    const forged = await put({ upload_url: upload.upload_url.replace(/signature=./, 'signature=_') }, 'PK')
    expect(forged.status).toBe(403)
    expect((await put(upload, 'PK')).status).toBe(204)
    const again = await put(upload, 'PK')
    expect([again.status, ((await again.json()) as { code: string }).code]).toEqual([403, 'UPLOAD_REJECTED'])
  })

  test('name the address that the request named, or the configured one', async () => {
    const named = await fetch(`${listening.url}/v1/builds/upload-url`, {
      method: 'POST',
      headers: { 'api-key': studio.server, 'content-type': 'application/json' },
      body: '{"name":"here","executable_path":"server"}',
    })
    expect(((await named.json()) as { upload_url: string }).upload_url).toContain(`${listening.url}/v1/uploads/`)
    const fixed = await startService({ app: { publicUrl: 'https://play.example' } })
    const other = await openStudio(fixed)
    const body = { name: 'there', executable_path: 'server' }
    const { body: upload } = await fixed.call('POST /v1/builds/upload-url', { key: other.server, body })
    expect(upload.upload_url).toMatch(/^https:\/\/play\.example\/v1\/uploads\//)
  })
})
