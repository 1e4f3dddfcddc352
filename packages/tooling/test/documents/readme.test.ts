import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, symlinkSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished, vi } from 'vitest'
import { blocksIn } from '../../src/documents/blocks'
import { linesOf } from '../../src/documents/lines'
import { Terminal } from '../../src/documents/terminal'
import { skipWithout } from '../../src/needs'
import { ServiceProcess } from '../../src/service-process'

// The test starts several processes in sequence, maybe on a busy machine.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 })

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url))
const STEPS = blocksIn('README.md', 'Your own game server')

it('the README ends with two players on a game server of the reader, every block pasted in order', async (context) => {
  if (spawnSync('curl', ['--version']).error !== undefined) skipWithout(context, 'curl', 'there is none')
  const directory = mkdtempSync(join(tmpdir(), 'matchyard-readme-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }))
  // The folder has the packages of the repository and its own data directory.
  const clone = join(directory, 'clone')
  mkdirSync(clone)
  for (const name of ['packages', 'node_modules']) symlinkSync(join(ROOT, name), join(clone, name))
  const service = await ServiceProcess.start(join(clone, '.matchyard'), 0)
  onTestFinished(() => service.end('SIGINT'))
  const terminal = new Terminal(clone)
  onTestFinished(() => terminal.end())
  let printed = ''
  for (const { language, code } of STEPS) if (language === 'sh') printed = await terminal.paste(code)
  expect(linesOf(printed)).toEqual(linesOf(STEPS.find(({ language }) => language === 'text')?.code ?? ''))
})
