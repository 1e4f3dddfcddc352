import { mkdirSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from './harness/folder'
import { startInProcess } from './harness/in-process'

const INDEX = '<!doctype html><title>Console</title>'
const SCRIPT = 'console.log("here")'
const LONG = `// ${'long '.repeat(1_000)}`
const BROWSER = { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } }

/** Makes a folder like the build of the console, and beside it a file that nobody may read. */
function built(): string {
  const folder = temporaryFolder()
  const directory = join(folder, 'page')
  mkdirSync(join(directory, 'assets'), { recursive: true })
  writeFileSync(join(folder, 'secret.txt'), 'the secret')
  writeFileSync(join(directory, 'index.html'), INDEX)
  writeFileSync(join(directory, 'icon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>')
  writeFileSync(join(directory, 'assets/index-3f2a.js'), SCRIPT)
  writeFileSync(join(directory, 'assets/view-9c1d.js'), LONG)
  mkdirSync(join(directory, 'docs/cookbook'), { recursive: true })
  writeFileSync(join(directory, 'docs/index.html'), '<!doctype html><title>Docs</title>')
  writeFileSync(join(directory, 'docs/cookbook/bans.html'), '<!doctype html><title>Bans</title>')
  return directory
}

const withConsole = () => startInProcess({ console: 'on', consoleFiles: built() })

test('the page is served at /console/, where every path below it leads, and is never kept', async () => {
  const { call, hasConsole, baseUrl } = await withConsole()
  expect(hasConsole).toBe(true)
  const below = ['/console', '/console?x=1', '/console/lobbies', '/console/players/a%2Fb%20c', '/console/a/b/']
  for (const path of ['/console/', '/console/?x=1', ...below]) {
    const { status, text, headers } = await call(`GET ${path}`)
    expect([path, status, text]).toEqual([path, 200, INDEX])
    expect(headers.get('content-type')).toMatch(/^text\/html/)
    expect(headers.get('cache-control')).toBe('no-store')
  }
  for (const path of below) {
    const { status, headers, url } = await fetch(baseUrl + path, { redirect: 'manual' })
    const location = headers.get('location') ?? ''
    expect([path, status, location.startsWith('.')]).toEqual([path, 302, true])
    expect(new URL(location, url).pathname).toBe('/console/')
    expect(new URL(location, `http://site.example/play${path}`).pathname).toBe('/play/console/')
  }
  const head = await call('HEAD /console/')
  expect([head.status, head.text]).toEqual([200, ''])
})

test('its assets are cached without an end, other files are validated again; a missing file is not found', async () => {
  const { call } = await withConsole()
  const asset = await call('GET /console/assets/index-3f2a.js')
  expect([asset.status, asset.text]).toEqual([200, SCRIPT])
  expect(asset.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  expect(asset.headers.get('content-type')).toMatch(/^text\/javascript/)
  // Compression would not make this file smaller.
  const short = await call('GET /console/assets/index-3f2a.js', { headers: { 'accept-encoding': 'gzip' } })
  expect([short.headers.get('content-encoding'), short.text]).toEqual([null, SCRIPT])
  const long = await call('GET /console/assets/view-9c1d.js', { headers: { 'accept-encoding': 'gzip, br' } })
  expect([long.headers.get('content-encoding'), long.text]).toEqual(['gzip', LONG])
  const icon = await call('GET /console/icon.svg')
  expect([icon.status, icon.headers.get('cache-control')]).toEqual([200, 'no-cache'])
  // The script of an old page must not be answered with the new page.
  expect((await call('GET /console/assets/index-0000.js')).body).toMatchObject({ code: 'NOT_FOUND', status: 404 })
  expect((await call('GET /console/assets/')).status).toBe(404)
})

test('the documents are at /docs/, with the policy of the console', async () => {
  const { call, baseUrl } = await withConsole()
  const index = await call('GET /docs/')
  expect([index.status, index.text]).toEqual([200, '<!doctype html><title>Docs</title>'])
  const page = await call('GET /docs/cookbook/bans.html')
  expect([page.status, page.text, page.headers.get('cache-control')]).toEqual([
    200,
    '<!doctype html><title>Bans</title>',
    'no-cache',
  ])
  expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'none'/)
  const bare = await fetch(`${baseUrl}/docs`, { redirect: 'manual' })
  expect([bare.status, bare.headers.get('location')]).toEqual([302, './docs/'])
  for (const path of ['/docs/none.html', '/docs/cookbook', '/docsx', '/docs/../index.html', '/docs/..%2findex.html'])
    expect([path, (await call(`GET ${path}`)).status]).toEqual([path, 404])
  // The links of a page are relative to `/docs/`.
  expect((await call('GET /console/docs/index.html')).text).toBe(INDEX)
})

test('every file comes with a policy under which nothing inline or foreign runs, in nobody’s frame', async () => {
  const { call } = await withConsole()
  for (const path of ['/console/', '/console/lobbies', '/console/assets/index-3f2a.js', '/console/icon.svg']) {
    const { headers } = await call(`GET ${path}`)
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; worker-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    )
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin')
  }
})

/** Returns the answer to a path that clients would normalize before sending it. */
async function raw(port: number, path: string): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`)
  let text = ''
  for await (const chunk of socket) text += chunk
  return text
}

test.each([
  '/console/../secret.txt',
  '/console/assets/../../secret.txt',
  '/console/..%2fsecret.txt',
  '/console/%2e%2e/secret.txt',
  '/console/%2e%2e%2fsecret.txt',
  '/console/..%5csecret.txt',
  '/console/..\\secret.txt',
  '/console/%252e%252e%252fsecret.txt',
  '/console//../secret.txt',
  '/console/assets/..%2f..%2fsecret.txt',
  '/console/%00',
  '/console/index.html%00.js',
  '/console/%c0%ae%c0%ae/secret.txt',
  '/console/%',
  '//console/../secret.txt',
])('no path leads out of its folder: %s', async (path) => {
  const { port } = await withConsole()
  const answer = await raw(port, path)
  expect(answer).toMatch(/^HTTP\/1\.1 (404|400|200|302|308) /)
  expect(answer).not.toContain('the secret')
  if (/%00|\.\.%2f|%5c/.test(path)) expect(answer).toMatch(/^HTTP\/1\.1 404 /)
})

test('/ leads browsers there, and tells programs what it told them before', async () => {
  const { call, baseUrl } = await withConsole()
  const answer = await fetch(`${baseUrl}/`, { ...BROWSER, redirect: 'manual' })
  expect([answer.status, answer.headers.get('location'), answer.headers.get('vary')]).toEqual([
    302,
    './console/',
    'accept',
  ])
  expect((await call('GET /')).body).toMatchObject({ name: 'matchyard' })
  expect((await call('GET /?x', BROWSER)).text).toBe(INDEX)
})

test('everything else is the interface, as it was', async () => {
  const { call } = await withConsole()
  expect((await call('GET /livez')).body).toEqual({ status: 'ok' })
  expect((await call('GET /consoles')).body).toMatchObject({ code: 'NOT_FOUND' })
  expect((await call('GET /console.html')).body).toMatchObject({ code: 'NOT_FOUND' })
  expect((await call('POST /console', { body: {} })).body).toMatchObject({ code: 'NOT_FOUND' })
  expect((await call('GET /v1/account')).body).toMatchObject({ code: 'MISSING_CREDENTIALS' })
  expect((await call('GET /metrics')).text).toMatch(/matchyard_http_requests_total\{operation="none"/)
  expect((await call('POST /v1/auth/code', { body: { code: 'x' } })).body).toMatchObject({ code: 'INVALID_LOGIN' })
})

test('it counts as answered', async () => {
  const { call } = await withConsole()
  await call('GET /console/')
  expect((await call('GET /metrics')).text).toMatch(
    /matchyard_http_requests_total\{operation="console",method="GET",status="200"\} 1/,
  )
})

test('turned off, not built or not asked for there is none, and / is the page of links', async () => {
  const empty = temporaryFolder()
  const choices = [{ console: 'off', consoleFiles: built() }, { console: 'on', consoleFiles: empty }, {}] as const
  for (const options of choices) {
    const { call, hasConsole } = await startInProcess(options)
    expect(hasConsole).toBe(false)
    expect((await call('GET /console')).body).toMatchObject({ code: 'NOT_FOUND' })
    expect((await call('GET /', BROWSER)).text).toContain('<h1>Matchyard</h1>')
  }
})
