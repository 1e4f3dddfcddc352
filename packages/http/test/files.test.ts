import { gunzipSync, gzipSync } from 'node:zlib'
import { Hono } from 'hono'
import { describe, expect, test } from 'vitest'
import type { HttpEnv } from '../src/exchange/web-exchange'
import { onceMade, sharedFile, takesGzip } from '../src/files'
import { loadOf } from '../src/middleware/load'
import { startService } from './harness/service'

describe("the service's own files", () => {
  test('are made once, plain and packed, and are the same bytes for all who ask', async () => {
    let made = 0
    const file = sharedFile(() => `text ${++made}`)
    const [plain, again, packed, packedAgain] = await Promise.all([
      file.plain(),
      file.plain(),
      file.packed(),
      file.packed(),
    ])
    expect([again, packedAgain]).toEqual([plain, packed])
    expect(again === plain && packedAgain === packed).toBe(true)
    expect([made, gunzipSync(packed).toString()]).toEqual([1, 'text 1'])
  })

  test('are made anew where that failed, and only then', async () => {
    let tries = 0
    const make = onceMade(async () => {
      if (++tries === 1) throw new Error('the disk')
      return tries
    })
    await expect(make()).rejects.toThrow('the disk')
    expect([await make(), await make()]).toEqual([2, 2])
  })

  test('the script of the reference is read once, and sent packed to whoever asks', async () => {
    let read = 0
    const referenceScript = async () => {
      read++
      return 'the script'
    }
    const { call, app } = await startService({ app: { referenceScript } })
    for (const encoding of ['gzip, br', 'identity', '']) {
      const answer = await app.request('/reference?asset=standalone.js', { headers: { 'accept-encoding': encoding } })
      expect(answer.headers.get('content-encoding')).toBe('gzip')
      expect(gunzipSync(await answer.arrayBuffer()).toString()).toBe('the script')
    }
    expect(read).toBe(1)
    const packed = async () => ({ gzip: gzipSync('packed before') })
    const other = await startService({ app: { referenceScript: packed } })
    const answer = await other.app.request('/reference?asset=standalone.js')
    expect(gunzipSync(await answer.arrayBuffer()).toString()).toBe('packed before')
    const document = await call('GET /openapi.json')
    expect([document.headers.get('content-encoding'), document.body.openapi]).toEqual([null, '3.1.0'])
  })

  test.each([
    ['gzip', true],
    ['br, gzip;q=0.5', true],
    ['GZIP', true],
    ['gzip;q=0', false],
    ['gzip ; q=0.000', false],
    ['identity', false],
    ['x-gzip', false],
    [undefined, false],
  ])('accept-encoding %s: gzip is taken: %s', (header, takes) => {
    expect(takesGzip(header)).toBe(takes)
  })

  test('are refused as reads are while there is too much to do; only health never is', () => {
    for (const operation of ['system.openapi', 'system.reference', 'system.start', 'system.errors'] as const)
      expect(loadOf(operation, 'get').rank).toBe('goesOn')
    expect(loadOf('system.metrics', 'get').rank).toBe('ends')
    for (const operation of ['system.live', 'system.ready'] as const)
      expect(loadOf(operation, 'get').rank).toBe('vital')
  })
})

test('pages and files are begun in their turn, a few in each turn of the event loop; a probe at once', async () => {
  const { app } = await startService()
  await app.request('/openapi.json')
  // The server puts the console in front of the application in the same way.
  const beside = new Hono<HttpEnv>().get('/console/', async (c) => (await app.refusePage(c)) ?? c.text('a page'))
  for (const [crowd, path] of [
    [app, '/openapi.json'],
    [beside, '/console/'],
  ] as const) {
    const answered: string[] = []
    const ask = async (of: Pick<typeof app, 'request'>, path: string) => {
      await of.request(path)
      answered.push(path)
    }
    const all = [...Array.from({ length: 40 }, () => ask(crowd, path)), ask(app, '/livez')]
    for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve))
    expect(answered).toContain('/livez')
    expect(answered.length).toBeLessThan(20)
    await Promise.all(all)
    expect(answered).toHaveLength(41)
  }
})
