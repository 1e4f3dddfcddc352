import { execFileSync } from 'node:child_process'
import {
  closeSync,
  constants,
  mkdirSync,
  mkdtempSync,
  openSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { sinkOf } from '../src/service/standard-streams'

test('a log that goes into a pipe keeps no module from being found behind links', () => {
  const folder = realpathSync.native(mkdtempSync(join(tmpdir(), 'matchyard-pipe-')))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  mkdirSync(join(folder, 'package'))
  mkdirSync(join(folder, 'dependencies'))
  symlinkSync(join(folder, 'package'), join(folder, 'dependencies', 'link'))
  symlinkSync(join(folder, 'dependencies'), join(folder, 'node_modules'))
  for (const name of ['one.cjs', 'two.cjs']) writeFileSync(join(folder, 'package', name), '')
  execFileSync('mkfifo', [join(folder, 'pipe')])
  const pipe = openSync(join(folder, 'pipe'), constants.O_RDWR | constants.O_NONBLOCK)
  onTestFinished(() => closeSync(pipe))
  // The module loader remembers the folders that it has resolved. The fault concerns only these.
  const { resolve } = createRequire(join(folder, 'main.cjs'))
  expect(resolve('link/one.cjs')).toBe(join(folder, 'package', 'one.cjs'))
  sinkOf(pipe)
  expect(resolve('link/two.cjs')).toBe(join(folder, 'package', 'two.cjs'))
})
