import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { localFiles } from '../src/dev/local-files'
import { installationIdOf } from '../src/service/private-files'
import { run } from './harness/command'
import { temporaryFolder } from './harness/folder'

test.each(['', ' \n\t '])('an empty secret (%j) is told in one line by dev, and left as it is', async (text) => {
  const cwd = temporaryFolder()
  writeFileSync(join(cwd, 'secret'), text)
  const { code, stdout, stderr } = await run(['dev', '--port', '0', '--data', cwd], { cwd })
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toMatch(/^matchyard: \/[^\n]*\/secret is empty; put it back from a backup, or remove it[^\n]*\n$/)
  expect(readFileSync(join(cwd, 'secret'), 'utf8')).toBe(text)
})

test('a small file that is a folder, that is no text, or that nobody may read, is told by its name', () => {
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'secret'))
  expect(() => localFiles(folder)).toThrow(/secret is a folder where a file is expected/)
  const other = temporaryFolder()
  writeFileSync(join(other, 'installation'), Buffer.from([0xff, 0xfe, 0x00]))
  expect(() => installationIdOf(other)).toThrow(/installation is damaged: it is no text/)
  writeFileSync(join(other, 'installation'), '../../etc')
  expect(() => installationIdOf(other)).toThrow(/installation is damaged: it holds no name/)
  writeFileSync(join(other, 'installation'), '')
  expect(() => installationIdOf(other)).toThrow(/installation is empty/)
})

test.runIf(process.getuid?.() !== 0)('a secret that nobody may read says whose it should be', () => {
  const folder = temporaryFolder()
  localFiles(folder)
  chmodSync(join(folder, 'secret'), 0)
  expect(() => localFiles(folder)).toThrow(/secret cannot be read; change its owner/)
})

test.each(['', 'null', '[]', '{"password":5}', '{"password":"x"', '"x"'])(
  'credentials that are damaged (%j) count as lost',
  (text) => {
    const folder = temporaryFolder()
    const files = localFiles(folder)
    expect(existsSync(join(folder, 'secret'))).toBe(true)
    writeFileSync(join(folder, 'credentials.json'), text)
    expect(files.readCredentials()).toBeUndefined()
  },
)
