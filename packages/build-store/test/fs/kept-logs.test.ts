import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { StorageUnavailable } from '@matchyard/core/ports'
import { expect, onTestFinished, test } from 'vitest'
import { fileLogs } from '../../src/fs/file-logs'

test('a folder of logs that cannot be used is a storage that is away, and not a fault of the call', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'matchyard-logs-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  const place = join(directory, 'logs')
  writeFileSync(place, 'a file instead of a folder')
  const logs = fileLogs(place)
  const name = 'prj_1/0001-srv_1'
  for (const call of [() => logs.put(name, 'x'), () => logs.get(name), () => logs.list(), () => logs.remove(name)])
    await expect(call()).rejects.toThrow(StorageUnavailable)
  rmSync(place)
  await logs.put(name, 'x')
  expect(await logs.get(name)).toBe('x')
})
