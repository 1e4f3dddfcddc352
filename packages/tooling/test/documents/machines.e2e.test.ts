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
  let printed = ''
  let compared = 0
  for (const { language, code } of blocksIn('docs/machines.md', 'Two machines in two regions')) {
    // The test has the build of this repository.
    if (code.startsWith('git clone')) continue
    if (language === 'sh') printed = await terminal.paste(code)
    if (language !== 'text') continue
    compared++
    expect(shapeOf(printed)).toEqual(shapeOf(code))
  }
  expect(compared).toBe(7)
})

/** Returns the lines sorted, because players print in any order, and without the values that differ between two runs. */
const shapeOf = (text: string): readonly string[] =>
  linesOf(
    text
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '(time)')
      .replaceAll(/127\.0\.0\.1:\d+/g, '127.0.0.1:(port)')
      .replace(/load average \d+ %/, 'load average (number) %')
      .replace(/\d+ MB of memory in use/, '(number) MB of memory in use')
      // The node records a second after the command that no game server is left.
      .replace(/^(status +)drain(?:ing|ed)$/m, '$1(drained)')
      .replace(/^(version +)\S+$/m, '$1(version)'),
  )
