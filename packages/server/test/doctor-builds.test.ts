import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newestArchiveSeen } from '../src/doctor/storage-checks'
import { temporaryFolder } from './harness/folder'

test('a node that does not see the newest archive is told so', () => {
  const folder = temporaryFolder()
  expect(newestArchiveSeen(undefined, folder)).toMatchObject({ status: 'ok' })
  expect(newestArchiveSeen('bld_1', folder)).toMatchObject({
    status: 'fail',
    message: expect.stringContaining('does not see the builds of the installation'),
  })
  mkdirSync(join(folder, 'builds'))
  writeFileSync(join(folder, 'builds', 'bld_1.zip'), '')
  expect(newestArchiveSeen('bld_1', folder)).toMatchObject({ status: 'ok' })
})
