import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@matchyard/server/testing'
import { skipWithout } from '@matchyard/tooling/needs'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { findBrowser, startBrowser } from '../src/browser'
import { ServiceProcess } from '../src/service-process'

const PATIENCE = { timeout: 120_000 }

let browser: Browser | undefined
let service: ServiceProcess | undefined
let directory = ''

beforeAll(async () => {
  const program = findBrowser()
  if (program === undefined) return
  directory = mkdtempSync(join(tmpdir(), 'matchyard-reference-'))
  service = await ServiceProcess.start(directory, await freePort())
  browser = await startBrowser(program)
}, 120_000)

afterAll(async () => {
  await browser?.close()
  await service?.end('SIGINT')
  if (directory !== '') await rm(directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
}, 120_000)

it('the reference of `dev` makes a lobby by two clicks, and asks nobody but the service', {
  timeout: 240_000,
}, async (context) => {
  if (browser === undefined || service === undefined)
    return skipWithout(context, 'a browser', 'no Chromium on the path')
  const { base_url, client_key } = service.credentials
  const page = await browser.newPage({ viewport: { width: 1_440, height: 900 } })
  const elsewhere: string[] = []
  const wrong: string[] = []
  page.on('request', (request) => {
    const url = request.url()
    if (!url.startsWith(base_url) && !/^(data|blob):/.test(url)) elsewhere.push(url)
  })
  page.on('pageerror', (error) => wrong.push(String(error)))
  await page.goto(`${base_url}/reference#tag/lobbies/POST/v1/lobbies`, { waitUntil: 'commit' })
  await page
    .getByRole('button', { name: /Test Request.*post \/v1\/lobbies\)?$/i })
    .first()
    .click(PATIENCE)
  const answered = page.waitForResponse((response) => response.url() === `${base_url}/v1/lobbies`, PATIENCE)
  await page.getByRole('button', { name: /^Send/ }).first().click(PATIENCE)
  const response = await answered
  expect(response.status()).toBe(201)
  const shown = await response.json()
  expect(shown).toMatchObject({ queue_id: 'demo', host_player_id: 'ann' })
  await page.getByText('201 Created').first().waitFor(PATIENCE)
  const read = await fetch(`${base_url}/v1/lobbies/${shown.lobby_id}`, { headers: { 'api-key': client_key } })
  expect(await read.json()).toEqual(shown)
  expect(elsewhere).toEqual([])
  expect(wrong).toEqual([])
})
