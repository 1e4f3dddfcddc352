import { ERROR_CATALOGUE, type ErrorCode } from '@matchyard/core'
import { codesIn } from '@matchyard/tooling/documented-answers'
import { faultsOfHtml } from '@matchyard/tooling/html'
import { beforeAll, describe, expect, test } from 'vitest'
import { RETRY_WORDS } from '../src/error-pages/retry-words'
import { openApiDocument } from '../src/openapi/document'
import { ENDPOINTS } from '../src/routes/index'
import type { Answer } from './harness/client'
import { linksOf } from './harness/html'
import { type Service, startService } from './harness/service'

const CODES = Object.keys(ERROR_CATALOGUE) as ErrorCode[]
const BROWSER = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' }

interface Documented {
  readonly operationId: string
  readonly responses: Readonly<Record<string, { readonly description: string }>>
}

let service: Service
const page = (path: string, accept = BROWSER.accept): Promise<Answer> =>
  service.call(`GET ${path}`, { headers: { accept } })

beforeAll(async () => {
  service = await startService({ app: { referenceScript: async () => '' } })
})

describe('what is said of each code', () => {
  test('has a number that no other has', () => {
    const numbers = Object.values(ERROR_CATALOGUE).map(({ number }) => number)
    expect(new Set(numbers).size).toBe(numbers.length)
  })

  test.each(CODES)('%s: whole sentences, of its own, with neighbours that there are', (code) => {
    const { happened, mend, details, near } = ERROR_CATALOGUE[code]
    for (const text of [happened, mend, details].filter((each) => each !== undefined)) {
      expect(text).toMatch(/^[A-Z`][\s\S]*[.…]$/)
      // Backticks come in pairs.
      expect(text.split('`').length % 2).toBe(1)
    }
    expect(happened.length).toBeGreaterThan(40)
    expect(mend.length).toBeGreaterThan(40)
    const others = CODES.filter((other) => other !== code).map((other) => ERROR_CATALOGUE[other])
    expect(others.filter((other) => other.happened === happened || other.mend === mend)).toEqual([])
    expect(near.length).toBeGreaterThan(0)
    expect(new Set(near).size).toBe(near.length)
    expect(near).not.toContain(code)
  })

  test('names only calls that there are', () => {
    const calls = new Set(ENDPOINTS.map(({ method, path }) => `${method.toUpperCase()} ${path}`))
    const named = Object.values(ERROR_CATALOGUE).flatMap(({ happened, mend }) =>
      [...`${happened} ${mend}`.matchAll(/`((?:GET|POST|PUT|PATCH|DELETE) \/[^`?]*)/g)].map(([, call = '']) => call),
    )
    expect(named.length).toBeGreaterThan(10)
    expect(named.filter((call) => !calls.has(call))).toEqual([])
  })

  test('and retry-after is promised where it is sent', () => {
    const waits = CODES.filter((code) => RETRY_WORDS[ERROR_CATALOGUE[code].retry].short.includes('retry-after'))
    expect(waits.sort()).toEqual(['PLAYER_COOLING_DOWN', 'RATE_LIMITED', 'UNAVAILABLE'])
  })
})

describe('the pages', () => {
  test('each operation links to every code that it lists, and each page to the operation', async () => {
    const { paths } = openApiDocument(ENDPOINTS, '1')
    const listed = new Map<string, string[]>()
    for (const operation of Object.values(paths as Record<string, Record<string, Documented>>).flatMap((methods) =>
      Object.values(methods),
    )) {
      const refusals = Object.entries(operation.responses).filter(([status]) => Number(status) >= 400)
      for (const [, { description }] of refusals) {
        for (const code of codesIn(description)) {
          expect(description).toContain(`[${code}](./errors/${code})`)
          listed.set(code, [...(listed.get(code) ?? []), operation.operationId])
        }
      }
    }
    for (const code of CODES) {
      const { body } = await page(`/errors/${code}`, 'application/json')
      const there = body.operations.map(({ operation }: { readonly operation: string }) => operation)
      expect(there.sort(), code).toEqual([...new Set(listed.get(code))].sort())
    }
  })

  test.each(CODES)('%s is HTML that holds together, asks nobody and leads somewhere', async (code) => {
    const { status, headers, text } = await page(`/errors/${code}`)
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'unsafe-inline';/)
    expect(await faultsOfHtml(text)).toEqual([])
    expect(text).not.toMatch(/<script|<img|<link (?!rel="icon" type="image\/svg\+xml" href="data:)|src=/)
    const links = linksOf(text, `/errors/${code}`)
    for (const near of ERROR_CATALOGUE[code].near) expect(links).toContain(`/errors/${near}`)
    for (const path of new Set(links)) expect((await page(path)).status, path).toBe(200)
  })

  test('the index is one too, and has every code', async () => {
    const { text } = await page('/errors')
    expect(await faultsOfHtml(text)).toEqual([])
    expect(linksOf(text, '/errors')).toEqual(expect.arrayContaining(CODES.map((code) => `/errors/${code}`)))
    expect((await page('/errors', 'application/json')).body.errors).toHaveLength(CODES.length)
  })

  test('the type of a refusal leads to its page', async () => {
    const { body } = await service.call('GET /v1/lobbies')
    const { text } = await page(body.type)
    expect(text).toContain('<h1 class="code">MISSING_CREDENTIALS</h1>')
    expect(text).toContain('no credential was sent; send')
  })

  test.each([
    ['text/html', 'text/html; charset=utf-8'],
    ['text/*', 'text/html; charset=utf-8'],
    ['text/markdown', 'text/markdown; charset=utf-8'],
    ['text/plain;q=0.9, text/html;q=0.1', 'text/plain; charset=utf-8'],
    ['application/json, text/html', 'application/json'],
    ['*/*', 'application/json'],
    ['image/png', 'application/json'],
  ])('to who asks for %s they are %s', async (accept, mediaType) => {
    for (const path of ['/errors', '/errors/NOT_HOST']) {
      const { status, headers } = await page(path, accept)
      expect([
        status,
        headers
          .get('content-type')
          ?.toLowerCase()
          .replace(/^application\/json;.*/, 'application/json'),
      ]).toEqual([200, mediaType])
      expect([headers.get('vary'), headers.get('cache-control')]).toEqual(['accept', 'public, max-age=3600'])
    }
  })

  test('lead nowhere where there is no reference', async () => {
    const { call } = await startService()
    const { text } = await call('GET /errors/NOT_HOST', { headers: BROWSER })
    expect(linksOf(text, '/errors/NOT_HOST').filter((path) => path.startsWith('/reference'))).toEqual([])
    expect(text).toContain('/v1/lobbies/{lobby_id}/start')
  })

  test.each(['NO_SUCH', 'not_host', '__proto__', 'constructor', 'toString', '4004', '%3Cb%3E'])(
    'of %s there is none',
    async (code) => {
      const { status, body } = await page(`/errors/${code}`)
      expect([status, body.code]).toEqual([404, 'NOT_FOUND'])
      expect(body.detail).toContain('GET /errors lists all')
    },
  )
})
