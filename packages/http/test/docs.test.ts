import { readFile } from 'node:fs/promises'
import { gunzipSync } from 'node:zlib'
import type { Permission } from '@matchyard/core'
import { faultsOfHtml } from '@matchyard/tooling/html'
import { describe, expect, test } from 'vitest'
import { generatedDocs } from '../src/generated-docs'
import { ENDPOINTS, HTTP_ERRORS } from '../src/index'
import { OPERATIONS } from '../src/operations'
import { recordExamples } from './examples/record'
import { writtenExamples } from './examples/recorder'
import { startService } from './harness/service'

describe('generated pages', () => {
  test('the examples are what is answered', async () => {
    const examples = await readFile(new URL('../src/openapi/examples.ts', import.meta.url), 'utf8')
    expect(examples, 'src/openapi/examples.ts is out of date: run `npm run generate`').toBe(
      writtenExamples(await recordExamples()),
    )
  })

  test.each(Object.entries(generatedDocs()))('docs/%s is fresh', async (name, text) => {
    const page = await readFile(new URL(`../../../docs/${name}`, import.meta.url), 'utf8')
    expect(page, `docs/${name} is out of date: run \`npm run generate\``).toBe(text)
  })
})

describe('the OpenAPI document', async () => {
  const { call } = await startService()
  const { status, body: document } = await call('GET /openapi.json')

  test('is served, and says 3.1', () => {
    expect([status, document.openapi]).toEqual([200, '3.1.0'])
  })

  test.each(ENDPOINTS.map((endpoint) => [endpoint.operation, endpoint] as const))('holds %s', (operation, endpoint) => {
    const described = document.paths[endpoint.path]?.[endpoint.method]
    expect(described?.operationId).toBe(operation)
    const { credentials, player }: Permission = OPERATIONS[operation]
    // A client key may be sent together with the player's token, as one more alternative.
    const withToken = player !== 'none' && (credentials as readonly string[]).includes('client') ? 1 : 0
    expect(described.security).toHaveLength(credentials.length + withToken)
    const header = described.parameters?.find(({ name }: { name: string }) => name === 'x-player-id')
    // A token may name the player instead of the header, so the header is never required.
    expect(header?.required).toBe(player === 'none' ? undefined : false)
    const named = [...endpoint.path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name)
    const inPath = (described.parameters ?? []).filter((parameter: { in: string }) => parameter.in === 'path')
    expect(inPath.map(({ name }: { name: string }) => name)).toEqual(named)
  })

  test('holds no path that no route answers', () => {
    expect(Object.keys(document.paths).sort()).toEqual([...new Set(ENDPOINTS.map(({ path }) => path))].sort())
  })

  test('refers to nothing that it does not hold', () => {
    const text = JSON.stringify(document)
    for (const [, name] of text.matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
      expect(document.components.schemas, name).toHaveProperty(name ?? '')
    }
  })

  test('is sent gzipped to who takes it so, and is the same', async () => {
    const { app } = await startService()
    for (const time of ['packed', 'and kept']) {
      const packed = await app.request('/openapi.json', { headers: { 'accept-encoding': 'br, gzip' } })
      expect([packed.headers.get('content-encoding'), packed.headers.get('vary')], time).toEqual([
        'gzip',
        'accept-encoding',
      ])
      const bytes = await packed.arrayBuffer()
      expect(bytes.byteLength, time).toBeLessThan(84_000)
      expect(JSON.parse(gunzipSync(bytes).toString()), time).toEqual(document)
    }
  })

  test('holds the error catalogue', () => {
    expect(document['x-error-catalogue']).toEqual(HTTP_ERRORS)
  })
})

describe('the reference page', () => {
  test('is NOT_FOUND where no script was given', async () => {
    const { call } = await startService()
    expect((await call('GET /reference')).body.code).toBe('NOT_FOUND')
  })
  test('loads its script from the service itself, once it is asked for', async () => {
    let reads = 0
    const referenceScript = async () => `/* read ${++reads} */`
    const { call } = await startService({ app: { referenceScript } })
    const page = await call('GET /reference')
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(page.text).toContain('./reference?asset=standalone.js')
    expect(await faultsOfHtml(page.text)).toEqual([])
    expect(page.text).not.toContain('securitySchemes&quot;:{&quot;')
    expect(page.text).not.toMatch(/https?:/)
    expect(reads).toBe(0)
    expect((await call('GET /reference?asset=standalone.js')).status).toBe(200)
    expect(reads).toBe(1)
  })

  test('begins with the keys that are meant for who reached it, which end no attribute', async () => {
    const referenceKeys = (origin: string) => (origin === 'http://localhost' ? { client: 'ck"><script>' } : {})
    const { call } = await startService({ app: { referenceScript: async () => '', referenceKeys } })
    const { text } = await call('GET /reference')
    expect(text).toContain('{&quot;clientKey&quot;:{&quot;value&quot;:&quot;ck\\&quot;>&lt;script>&quot;}}')
    expect(text).not.toContain('ck"')
  })
})

describe('metrics', () => {
  test('are NOT_FOUND where none are given', async () => {
    const { call } = await startService()
    expect((await call('GET /metrics')).status).toBe(404)
  })
})
