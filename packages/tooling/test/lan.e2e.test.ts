import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ENDPOINTS } from '@matchyard/http'
import { freePort } from '@matchyard/server/testing'
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { Networks } from '../bench/machines/network'
import { findBrowser, startBrowser } from '../src/browser'
import type { OneAnswer, OneCall } from '../src/lan/calls'
import { runIn, startIn } from '../src/lan/in-network'
import type { Seen } from '../src/lan/player'
import type { Place } from '../src/many-nodes/node-process'
import { skipWithout } from '../src/needs'
import { ServiceProcess } from '../src/service-process'

vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 })

/** Sentence of the answer to a call that is closed to other machines. */
const CLOSED = 'dev --lan answers this call only to programs on its own machine'
const [HERE, FRIEND] = [0, 1]

let networks: Networks | undefined
let lacking = ''
let directory: string
let service: ServiceProcess
let port: number
/** The machine of the service, and another machine on its network. */
let here: Place
let friend: Place

beforeAll(async () => {
  try {
    networks = Networks.create(2)
  } catch (error) {
    lacking = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)
    return
  }
  here = networks.placeOf(HERE)
  friend = networks.placeOf(FRIEND)
  directory = mkdtempSync(join(tmpdir(), 'matchyard-lan-'))
  port = await freePort()
  service = await ServiceProcess.start(directory, port, { within: here.within, options: ['--lan'] })
})
afterAll(async () => {
  try {
    await service?.end('SIGINT')
  } finally {
    networks?.remove()
    if (networks !== undefined) await rm(directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
  }
})
beforeEach((context) => {
  if (networks === undefined) skipWithout(context, 'network namespaces', lacking)
})

const callsFrom = (place: Place, calls: readonly OneCall[]) => runIn<readonly OneAnswer[]>(place, 'calls.ts', calls)
const atLoopback = (path: string) => `http://127.0.0.1:${port}${path}`
const atAddress = (path: string) => `http://${here.host}:${port}${path}`

it('is reached at the one address of its machine, by players and by game servers', async () => {
  expect(service.credentials.base_url).toBe(atAddress(''))
  expect(service.consoleLink).toContain(`${atLoopback('/console/')}#code=`)
  const { client_key: clientKey } = service.credentials
  const seen = await runIn<Seen>(friend, 'player.ts', { baseUrl: atAddress(''), clientKey })
  expect(seen).toEqual({ host: here.host, udp: 'welcome ann 1/2', tcp: 'pong', reason: 'match_ended' })
})

/** Calls of every route, with a server key and a parameter that names nothing. */
const everyRoute = (at: (path: string) => string): OneCall[] =>
  ENDPOINTS.map(({ method, path }) => ({
    url: at(path.replace(/\{[^{}]+\}/g, 'nothing')),
    method: method.toUpperCase(),
    headers: { 'api-key': service.credentials.server_key },
  }))

it('answers other machines only the calls of players and game servers', async () => {
  const answers = await callsFrom(friend, everyRoute(atAddress))
  const open = ENDPOINTS.filter((_, index) => !answers[index]?.text.includes(CLOSED)).map(({ operation }) => operation)
  const groups = [...new Set(open.map((operation) => operation.split('.')[0]))].sort()
  expect(groups).toEqual(['lobbies', 'matches', 'players', 'ratings', 'regions', 'servers', 'system'])
  expect(
    open.filter((operation) => /^(servers\.(?!self)|system\.(metrics|top|reference|openapi))/.test(operation)),
  ).toEqual([])
  for (const [index, { text, status }] of answers.entries()) {
    if (text.includes(CLOSED)) expect([ENDPOINTS[index]?.operation, status]).toEqual([ENDPOINTS[index]?.operation, 404])
  }
})

it('answers its own machine everything, at loopback and at its address', async () => {
  for (const at of [atLoopback, atAddress]) {
    const answers = await callsFrom(here, everyRoute(at))
    expect(answers.filter(({ text }) => text.includes(CLOSED))).toEqual([])
  }
})

it('closes accounts, keys, uploads, the console and pages of operators to other machines', async () => {
  const { email, password, server_key: key } = service.credentials
  const json = { 'content-type': 'application/json' }
  const login = { method: 'POST', headers: json, body: JSON.stringify({ email, password }) }
  const upload = { method: 'POST', headers: { ...json, 'api-key': key }, body: '{"name":"a","executable_path":"b"}' }
  const calls = (at: (path: string) => string): OneCall[] => [
    { url: at('/v1/auth/login'), ...login },
    { url: at('/v1/builds/upload-url'), ...upload },
    ...['/v1/builds', '/v1/servers', '/v1/secrets'].map((path) => ({ url: at(path), headers: { 'api-key': key } })),
    ...['/metrics', '/top', '/reference', '/openapi.json', '/console/'].map((path) => ({ url: at(path) })),
  ]
  const statuses = async (place: Place, all: readonly OneCall[]) =>
    (await callsFrom(place, all)).map(({ status }) => status)
  const opened = [200, 201, ...Array(8).fill(200)]
  const closed = Array(10).fill(404)
  expect(await statuses(here, calls(atLoopback))).toEqual(opened)
  expect(await statuses(here, calls(atAddress))).toEqual(opened)
  expect(await statuses(friend, calls(atAddress))).toEqual(closed)

  const adding = (more: Readonly<Record<string, string>>) => (call: OneCall) => ({
    ...call,
    headers: { ...call.headers, ...more },
  })
  // A header cannot make another machine a local one; a proxy and a page under a foreign name are no local callers.
  const pretended = { 'x-forwarded-for': '127.0.0.1', host: `127.0.0.1:${port}` }
  expect(await statuses(friend, calls(atAddress).map(adding(pretended)))).toEqual(closed)
  expect(await statuses(here, calls(atLoopback).map(adding({ 'x-forwarded-for': friend.host })))).toEqual(closed)
  expect(await statuses(here, calls(atLoopback).map(adding({ host: `rebound.example:${port}` })))).toEqual(closed)

  const register = { method: 'POST', headers: json, body: '{"email":"a@b.example","password":"a long password"}' }
  const [own, foreign] = [
    await callsFrom(here, [{ url: atLoopback('/v1/auth/register'), ...register }]),
    await callsFrom(friend, [{ url: atAddress('/v1/auth/register'), ...register }]),
  ]
  expect([own[0]?.status, foreign[0]?.status]).toEqual([403, 404])
})

it('shows another machine the page of the game, without a server key, and players play there', async (context) => {
  const demo = startIn(here, 'examples/demo/src/main.ts', { ...process.env, MATCHYARD_DATA: directory })
  try {
    let output = ''
    const url = await new Promise<string>((resolve, reject) => {
      const look = (chunk: Buffer) => {
        output += chunk.toString()
        const found = /is at (http:\S+)/.exec(output)?.[1]
        if (found !== undefined) resolve(found)
      }
      demo.stdout.on('data', look)
      demo.stderr.on('data', look)
      demo.once('exit', (code) => reject(new Error(`the demo ended with code ${code}: ${output}`)))
    })
    expect(new URL(url).hostname).toBe(here.host)
    const files = ['', 'main.js', 'style.css', 'settings.json'].map((file) => ({ url: url + file }))
    const answers = await callsFrom(friend, files)
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(answers[3]?.text).toContain(service.credentials.client_key)
    expect(answers.filter(({ text }) => text.includes('sk_live_'))).toEqual([])
    const program = findBrowser()
    if (program === undefined) return skipWithout(context, 'a browser', 'no Chromium on the path')
    await playInBrowser(program, url)
  } finally {
    const ended = new Promise((resolve) => demo.once('exit', resolve))
    if (demo.exitCode === null && demo.kill('SIGTERM')) await ended
  }
})

/** Two players of the other machine play a match in its browser, until both see its clock. */
async function playInBrowser(program: string, url: string): Promise<void> {
  const script = join(directory, 'browser.sh')
  writeFileSync(script, `#!/bin/sh\nexec ${friend.within.join(' ')} ${program} "$@"\n`)
  chmodSync(script, 0o755)
  const browser = await startBrowser(script)
  try {
    const pages = await Promise.all(
      ['Ann', 'Bob'].map(async (name) => {
        const page = await browser.newPage({ viewport: { width: 640, height: 400 }, reducedMotion: 'reduce' })
        await page.goto(url)
        await page.fill('#name', name, { timeout: 60_000 })
        await page.click('#play')
        return page
      }),
    )
    for (const page of pages) await page.click('#accept', { timeout: 60_000 })
    for (const page of pages) {
      await page.locator('.timer', { hasText: /^\d:\d\d/ }).waitFor({ timeout: 60_000 })
    }
  } finally {
    await browser.close()
  }
}
