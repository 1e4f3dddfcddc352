import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { executableFault, type Surroundings } from '../src/executable-check'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'executable-'))
})
afterAll(() => rm(folder, { recursive: true, maxRetries: 20, retryDelay: 50 }))

const everywhere: Surroundings = { path: '/usr/bin:/bin', sees: () => true }

async function faultOf(content: string | Buffer, around = everywhere): Promise<string | undefined> {
  const file = join(folder, 'server')
  await writeFile(file, content)
  return executableFault(file, 'server', around)
}

/** A 64-bit ELF header with one program header that names a loader. */
function elf(machine: number, loader: string | undefined): Buffer {
  const bytes = Buffer.alloc(200)
  bytes.write('\x7fELF', 'latin1')
  bytes[4] = 2
  bytes[5] = 1
  bytes.writeUInt16LE(machine, 18)
  bytes.writeBigUInt64LE(64n, 32)
  bytes.writeUInt16LE(56, 54)
  bytes.writeUInt16LE(loader === undefined ? 0 : 1, 56)
  if (loader !== undefined) {
    bytes.writeUInt32LE(3, 64)
    bytes.writeBigUInt64LE(120n, 64 + 8)
    bytes.writeBigUInt64LE(BigInt(loader.length + 1), 64 + 32)
    bytes.write(loader, 120)
  }
  return bytes
}

const OWN = process.arch === 'arm64' ? 183 : 62

it.each([
  ['#!/bin/sh\n', undefined],
  ['#! /bin/sh -e\n', undefined],
  ['#!/usr/bin/env sh\n', undefined],
  ['#!/usr/bin/env -S sh -e\n', undefined],
  ['#!/usr/bin/env no-such-program\n', /"no-such-program" of server is not on the PATH/],
  ['#!/no/such/interpreter\n', /interpreter \/no\/such\/interpreter of server is not there/],
  ['#!\n', /interpreter \(none\)/],
  ['#!sh\n', /interpreter sh of server is not there/],
  ['#!/bin/sh\r\necho', /Windows line endings/],
  ['echo hello\n', /not an executable format/],
  ['', /not an executable format/],
  ['MZ\x90', /not an executable format/],
])('a script %j', async (content, expected) => {
  const fault = await faultOf(content)
  if (expected === undefined) expect(fault).toBeUndefined()
  else expect(fault).toMatch(expected)
})

it('a program for this machine, for another one, with and without its loader', async () => {
  expect(await faultOf(elf(OWN, undefined))).toBeUndefined()
  expect(await faultOf(elf(OWN, '/bin/sh'))).toBeUndefined()
  expect(await faultOf(elf(OWN, '/lib/ld-of-another-libc.so'))).toMatch(
    /loader \/lib\/ld-of-another-libc.so .*not there/,
  )
  expect(await faultOf(elf(8, undefined))).toMatch(/another processor/)
  expect(await faultOf(elf(OWN, undefined).subarray(0, 20))).toMatch(/damaged/)
  // A header that points outside the file says nothing; the system will.
  const wild = elf(OWN, '/bin/sh')
  wild.writeBigUInt64LE(2n ** 60n, 32)
  expect(await faultOf(wild)).toBeUndefined()
  expect(await executableFault(process.execPath, 'node', everywhere)).toBeUndefined()
})

it('an interpreter that is there, but not for the game server', async () => {
  const interpreter = join(folder, 'interpreter')
  await writeFile(interpreter, '')
  await chmod(interpreter, 0o755)
  const content = `#!${interpreter}\n`
  expect(await faultOf(content)).toBeUndefined()
  expect(await faultOf(content, { ...everywhere, sees: (file) => file !== interpreter })).toMatch(/is not there/)
})

it('no file', async () => {
  expect(await executableFault(join(folder, 'missing'), 'missing', everywhere)).toBe('missing is not a regular file')
  expect(await executableFault(folder, 'folder', everywhere)).toBe('folder is not a regular file')
})
