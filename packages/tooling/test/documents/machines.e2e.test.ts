import { spawnSync } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@matchyard/server/testing'
import { startServer } from '@matchyard/storage-postgres/testing'
import { expect, it, onTestFinished, vi } from 'vitest'
import { blocksIn } from '../../src/documents/blocks'
import { linesOf } from '../../src/documents/lines'
import { Terminal } from '../../src/documents/terminal'
import { skipWithout } from '../../src/needs'

// The test starts several processes in sequence, maybe on a busy machine.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 })

it('docs/machines.md: two machines in two regions, every block pasted in order', async (context) => {
  for (const program of ['curl', 'openssl'] as const)
    if (spawnSync(program, ['--help']).error !== undefined) skipWithout(context, program, 'there is none')
  if (spawnSync('/usr/bin/python3', ['-c', '']).status !== 0) skipWithout(context, 'Python', 'no /usr/bin/python3')
  const database = await startServer()
  onTestFinished(() => database.stop())
  const directory = mkdtempSync(join(tmpdir(), 'matchyard-two-regions-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }))
  const ports = { PORT: String(await freePort()), SECOND_PORT: String(await freePort()) }
  // Load shedding is off, because a machine that runs many tests at once is overloaded.
  const env = { HOST: '127.0.0.1', OVERLOAD_DELAY_MS: '0', DATABASE_URL: database.url, ...ports }
  const terminal = new Terminal(directory, env)
  onTestFinished(() => terminal.end())
  const blocks = blocksIn('docs/machines.md', 'Two machines in two regions')
  const printed: string[] = []
  for (const { language, code } of blocks) if (language === 'sh') printed.push(await terminal.paste(code))
  const [, machines = '', , , , matches = '', warned = '', drained = ''] = printed
  expect(machines).toMatch(/fra-1 .*ready/)
  expect(machines).toMatch(/iad-1 .*ready/)
  // Both players of a match wait for its end, and may be told their region in any order.
  expect(linesOf(matches)).toEqual(linesOf(blocks.find(({ language }) => language === 'text')?.code ?? ''))
  expect(warned).toMatch(/"warnings":\["[^"]*syd/)
  expect(drained).toMatch(/drain/)
})
