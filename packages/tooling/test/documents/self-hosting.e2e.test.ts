import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@matchyard/server/testing'
import { startServer } from '@matchyard/storage-postgres/testing'
import { expect, it, onTestFinished, type TestContext, vi } from 'vitest'
import { blocksIn } from '../../src/documents/blocks'
import { linesOf } from '../../src/documents/lines'
import { Terminal } from '../../src/documents/terminal'
import { skipWithout } from '../../src/needs'

// The tests start several processes in sequence, maybe on a busy machine.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 })

const STEPS = blocksIn('docs/self-hosting.md', 'A first match')

/**
 * Pastes all blocks of the section "A first match" in order. Returns the output of the last block, and the output that
 * the document shows.
 */
async function follow(context: TestContext, database: Readonly<Record<string, string>>) {
  for (const program of ['curl', 'openssl'] as const)
    if (spawnSync(program, ['--help']).error !== undefined) skipWithout(context, program, 'there is none')
  if (spawnSync('/usr/bin/python3', ['-c', '']).status !== 0) skipWithout(context, 'Python', 'no /usr/bin/python3')
  const directory = mkdtempSync(join(tmpdir(), 'matchyard-first-match-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }))
  const desk = join(directory, 'desk')
  mkdirSync(desk)
  // The service has a free port of its own. Load shedding is off, because a machine that runs many tests at once is
  // overloaded.
  const env = { HOST: '127.0.0.1', PORT: String(await freePort()), OVERLOAD_DELAY_MS: '0', ...database }
  const terminal = new Terminal(desk, env)
  onTestFinished(() => terminal.end())
  let printed = ''
  for (const { language, code } of STEPS) if (language === 'sh') printed = await terminal.paste(code)
  return { printed, said: STEPS.find(({ language }) => language === 'text')?.code ?? '' }
}

it('ends with two players on a game server, with SQLite, every block pasted in order', async (context) => {
  const { printed, said } = await follow(context, {})
  expect(linesOf(printed)).toEqual(linesOf(said))
})

it('ends with two players on a game server, with PostgreSQL', async (context) => {
  const database = await startServer()
  onTestFinished(() => database.stop())
  const { printed, said } = await follow(context, { DATABASE_URL: database.url })
  expect(linesOf(printed)).toEqual(linesOf(said))
})
