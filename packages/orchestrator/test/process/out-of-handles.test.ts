import { mkdtempSync, rmSync } from 'node:fs'
import fs from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it, vi } from 'vitest'
import { AttemptFiles } from '../../src/process/attempt-files'
import { attemptState } from '../../src/process/attempt-state'
import { IS_LINUX, MarkedProcesses, startTimeOf } from '../../src/process/proc'

const folder = mkdtempSync(join(tmpdir(), 'out-of-handles-'))
afterEach(() => {
  handlesAreBack()
  rmSync(folder, { recursive: true, force: true })
})

function handlesAreOut(): void {
  const error = Object.assign(new Error('EMFILE: too many open files'), { code: 'EMFILE' })
  vi.spyOn(fs, 'readFile').mockRejectedValue(error)
  syncBuiltinESMExports()
}

function handlesAreBack(): void {
  vi.restoreAllMocks()
  syncBuiltinESMExports()
}

it.runIf(IS_LINUX)('a service that is out of file handles for a moment tells no running server as ended', async () => {
  const files = new AttemptFiles(folder, 'srv_1', 1)
  const marked = new MarkedProcesses('ins_handles')
  const machine = { bootId: 'boot', scan: () => marked.scan() }
  const me = { bootId: 'boot', pid: process.pid, startTime: await startTimeOf(process.pid) }
  await files.write('claim.json', me)
  await files.write('status.json', { at: Date.now(), main: me, inner: null })
  expect(await attemptState(files, machine)).toMatchObject({ kind: 'alive' })
  handlesAreOut()
  await expect(attemptState(files, machine)).rejects.toThrow(/EMFILE/)
  handlesAreBack()
  expect(await attemptState(files, machine)).toMatchObject({ kind: 'alive' })
})
