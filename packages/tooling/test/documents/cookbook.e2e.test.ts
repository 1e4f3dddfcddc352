import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createAdmin } from '@matchyard/client/admin'
import { freePort } from '@matchyard/server/testing'
import { afterAll, beforeAll, expect, it, onTestFinished, type TestContext, vi } from 'vitest'
import { blocksIn } from '../../src/documents/blocks'
import { linesOf } from '../../src/documents/lines'
import { Terminal } from '../../src/documents/terminal'
import { whyNoCpp } from '../../src/engines/cpp'
import { skipWithout } from '../../src/needs'
import { ServiceProcess } from '../../src/service-process'

// The tests start several processes in sequence, maybe on a busy machine.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 })

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url))

type Needed = 'curl' | 'nginx' | 'openssl' | 'a C++ compiler with libcurl'

/** Programs that pages need besides Node.js and a shell. */
const NEEDS: Readonly<Record<string, readonly Needed[]>> = {
  bans: ['curl'],
  certificates: ['curl', 'nginx', 'openssl'],
  'cpp-client': ['a C++ compiler with libcurl'],
  leaderboard: ['curl'],
  spectators: ['openssl'],
}

/** Names of the pages with shell blocks. */
const PAGES = readdirSync(join(ROOT, 'docs', 'cookbook'))
  .map((file) => file.replace(/\.md$/, ''))
  .filter((page) => page !== 'README' && blocksIn(pathOf(page)).some(({ language }) => language === 'sh'))

function pathOf(page: string): string {
  return `docs/cookbook/${page}.md`
}

/** Skips the test on a machine without one of the programs. */
function skipWithoutAny(context: TestContext, programs: readonly Needed[]): void {
  for (const program of programs) {
    const isThere = (name: string) => spawnSync(name, ['-h']).error === undefined
    const lacking =
      program === 'a C++ compiler with libcurl' ? whyNoCpp() : isThere(program) ? undefined : 'it is not installed'
    if (lacking !== undefined) skipWithout(context, program, lacking)
  }
}

const directory = mkdtempSync(join(tmpdir(), 'matchyard-cookbook-'))
let service: ServiceProcess
beforeAll(async () => {
  service = await ServiceProcess.start(join(directory, 'service'), 0)
})
afterAll(async () => {
  await service.end('SIGINT')
  await rm(directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
})

/** Deletes all lobbies, so that a page that failed keeps no player of the next page in a match. */
async function deleteLobbies(): Promise<void> {
  const { base_url: baseUrl, server_key: serverKey } = service.credentials
  const { lobbies } = createAdmin({ baseUrl, serverKey })
  for await (const { lobby_id } of lobbies.list({ includePrivate: true })) await lobbies.delete(lobby_id)
}

/** Pastes the shell blocks of a page in order. A `text` block is the expected output of the block before it. */
it.for(PAGES)('docs/cookbook/%s.md prints what the page says', async (page, context) => {
  skipWithoutAny(context, NEEDS[page] ?? [])
  const desk = join(directory, page)
  mkdirSync(desk)
  const { base_url, client_key, server_key } = service.credentials
  const terminal = new Terminal(desk, {
    MATCHYARD_URL: base_url,
    MATCHYARD_CLIENT_KEY: client_key,
    MATCHYARD_SERVER_KEY: server_key,
    MATCHYARD_CPP: join(ROOT, 'packages', 'engines', 'cpp'),
    HTTPS_PORT: String(await freePort()),
    GAME_CERTIFICATE: join(directory, 'service', 'certificate', 'cert.pem'),
    PLAYTEST_PORT: String(await freePort()),
  })
  onTestFinished(async () => {
    await terminal.end()
    await deleteLobbies()
  })
  for (const { code } of blocksIn('docs/cookbook/README.md', 'Before you begin')) await terminal.paste(code)
  let printed = ''
  let compared = 0
  for (const { language, code } of blocksIn(pathOf(page))) {
    if (language === 'sh') printed = await terminal.paste(code)
    if (language !== 'text') continue
    compared++
    expect(linesOf(printed)).toEqual(linesOf(code))
  }
  expect(compared).toBeGreaterThan(0)
})
