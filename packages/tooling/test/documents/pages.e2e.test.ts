import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@matchyard/server/testing'
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest'
import { blocksIn } from '../../src/documents/blocks'
import { Terminal } from '../../src/documents/terminal'
import { skipWithout } from '../../src/needs'
import { ServiceProcess } from '../../src/service-process'

// The tests start several processes in sequence, maybe on a busy machine.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 })

const PAGES = ['webhooks', 'live-matches', 'simulation', 'from-multiplay', 'from-playfab'].map(
  (name) => `docs/${name}.md`,
)

const directory = mkdtempSync(join(tmpdir(), 'matchyard-pages-'))
let service: ServiceProcess
beforeAll(async () => {
  service = await ServiceProcess.start(join(directory, 'service'), 0)
})
afterAll(async () => {
  await service.end('SIGINT')
  await rm(directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
})

/**
 * Pastes each page's shell blocks in order into a terminal with the service's credentials. A `text` block is the
 * expected output of the block before it.
 */
it.for(PAGES)('%s: what is pasted prints what the page says', async (page, context) => {
  if (spawnSync('curl', ['--version']).error !== undefined) skipWithout(context, 'curl', 'there is none')
  const desk = join(directory, page.replace(/\W/g, '-'))
  mkdirSync(desk)
  const terminal = new Terminal(desk, { RECEIVER_PORT: String(await freePort()) })
  onTestFinished(() => terminal.end())
  await terminal.paste(`eval "$(matchyard env ${join(directory, 'service', 'credentials.json')})"`)
  let printed = ''
  let compared = 0
  for (const { language, code } of blocksIn(page)) {
    if (language === 'sh') printed = await terminal.paste(code)
    if (language !== 'text') continue
    compared++
    // Webhooks arrive in any order, so the lines are compared sorted.
    expect(printed.trim().split('\n').sort()).toEqual(code.trim().split('\n').sort())
  }
  expect(compared).toBeGreaterThan(0)
})

it('docs/http-api.md: the request that creates a lobby is answered as the page shows', async (context) => {
  if (spawnSync('curl', ['--version']).error !== undefined) skipWithout(context, 'curl', 'there is none')
  const terminal = new Terminal(join(directory, 'lobby'))
  onTestFinished(() => terminal.end())
  await terminal.paste(`eval "$(matchyard env ${join(directory, 'service', 'credentials.json')})"`)
  const [request, answer] = blocksIn('docs/http-api.md', 'A lobby').map(({ code }) => code)
  const shown = JSON.parse(answer ?? '')
  const made = JSON.parse(await terminal.paste(request ?? ''))
  expect(Object.keys(made).sort()).toEqual(Object.keys(shown).sort())
  const { queue_id, status, host_player_id, max_players, settings } = shown
  expect(made).toMatchObject({ queue_id, status, host_player_id, max_players, settings })
})

it('docs/self-hosting.md: what an operator types about accounts and the clock does what it says', async () => {
  const terminal = new Terminal(join(directory, 'operator'))
  onTestFinished(() => terminal.end())
  const [accounts = '', limits = ''] = blocksIn('docs/self-hosting.md', 'Accounts').map(({ code }) => code)
  const printed = await terminal.paste(accounts)
  expect(printed).toMatch(/client_key +ck_live_/)
  expect(printed).toMatch(/ann@example.com is on free\n/)
  expect(printed).toMatch(/ann@example.com is disabled\n/)
  await terminal.paste(limits)
  const [clock = ''] = blocksIn('docs/self-hosting.md', 'The clock').map(({ code }) => code)
  expect(await terminal.paste(clock)).toMatch(/record/)
})
