import { X509Certificate } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { certificateFault } from '@matchyard/orchestrator/process'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { devCertificate } from '../src/dev/certificate'

const DAY_MS = 24 * 60 * 60 * 1_000
const NOW = Date.now()
let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'dev-certificate-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const made = (hosts: readonly string[] = ['localhost', '127.0.0.1'], now = NOW) => devCertificate(folder, hosts, now)
const printOf = ({ certFile }: { certFile: string }) => new X509Certificate(readFileSync(certFile)).fingerprint256

it('keeps its certificate, until a host is missing in it or it ends soon', async () => {
  const first = printOf(await made())
  expect(printOf(await made())).toBe(first)
  const second = printOf(await made(['localhost', 'game.local']))
  expect(second).not.toBe(first)
  expect(printOf(await made(['localhost'], NOW + 340 * DAY_MS))).not.toBe(second)
})

it('makes another certificate when its files are damaged, or when only one of them was replaced', async () => {
  const files = await made()
  const key = readFileSync(files.keyFile)
  for (const path of [files.certFile, files.keyFile]) {
    const before = printOf(await made())
    writeFileSync(path, '')
    expect(printOf(await made())).not.toBe(before)
  }
  writeFileSync(files.keyFile, key)
  expect(await certificateFault(await made())).toBeUndefined()
})
