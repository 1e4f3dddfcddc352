import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it, vi } from 'vitest'
import { AttemptFiles } from '../../src/process/attempt-files'
import { attemptState } from '../../src/process/attempt-state'
import { IS_LINUX, MarkedProcesses, startTimeOf } from '../../src/process/proc'

let isOut = false
vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof import('node:fs/promises')>()
  const readFile = async (path: string, how: 'utf8') => {
    if (isOut && path.startsWith('/proc/'))
      throw Object.assign(new Error('EMFILE: too many open files'), { code: 'EMFILE' })
    return real.readFile(path, how)
  }
  return { ...real, readFile }
})

const folder = mkdtempSync(join(tmpdir(), 'out-of-handles-'))
afterEach(() => rmSync(folder, { recursive: true, force: true }))

it.runIf(IS_LINUX)('a service that is out of file handles for a moment tells no running server as ended', async () => {
  const files = new AttemptFiles(folder, 'srv_1', 1)
  const marked = new MarkedProcesses('ins_handles')
  const machine = { bootId: 'boot', scan: () => marked.scan() }
  const me = { bootId: 'boot', pid: process.pid, startTime: await startTimeOf(process.pid) }
  await files.write('claim.json', me)
  await files.write('status.json', { at: Date.now(), main: me, inner: null })
  expect(await attemptState(files, machine)).toMatchObject({ kind: 'alive' })
  isOut = true
  await expect(attemptState(files, machine)).rejects.toThrow(/EMFILE/)
  isOut = false
  expect(await attemptState(files, machine)).toMatchObject({ kind: 'alive' })
})
