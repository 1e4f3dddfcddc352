import { access, constants } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { executableFault, HEAD_BYTES, type Surroundings } from '../../src/kit/executable-check'
import { readHead } from '../../src/kit/small-files'

/** Surroundings of a program that runs on this machine without a sandbox. */
const everywhere: Surroundings = {
  path: '/usr/bin:/bin',
  architecture: process.arch,
  runs: (file) =>
    access(file, constants.X_OK).then(
      () => true,
      () => false,
    ),
  absent: 'not there',
  pathName: 'the PATH',
}

const faultOf = (content: string | Buffer, around = everywhere): Promise<string | undefined> =>
  executableFault(Buffer.from(content), 'server', around)

/** Returns a 64-bit ELF header with one program header that names a loader. */
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
  // A header that points outside the file is not judged here; the system rejects it.
  const wild = elf(OWN, '/bin/sh')
  wild.writeBigUInt64LE(2n ** 60n, 32)
  expect(await faultOf(wild)).toBeUndefined()
  const node = await readHead(process.execPath, HEAD_BYTES)
  expect(await executableFault(node, 'node', everywhere)).toBeUndefined()
})

it('says in whose words it looks', async () => {
  const image: Surroundings = {
    ...everywhere,
    architecture: 'amd64',
    runs: async (file) => file === '/usr/bin/env',
    absent: 'not in the image',
    pathName: 'the PATH of the image',
  }
  expect(await faultOf('#!/bin/sh\n', image)).toBe('the interpreter /bin/sh of server is not in the image')
  expect(await faultOf('#!/usr/bin/env node\n', image)).toBe(
    'the interpreter "node" of server is not on the PATH of the image',
  )
  expect(await faultOf(elf(62, '/lib/ld.so'), image)).toMatch(/^the loader \/lib\/ld.so of server is not in the image/)
  expect(await faultOf(elf(183, undefined), image)).toBe('server is built for another processor than amd64')
})

it('no file', async () => {
  expect(await executableFault(undefined, 'missing', everywhere)).toBe('missing is not a regular file')
  expect(await readHead('/no/such/file', HEAD_BYTES)).toBeUndefined()
  expect(await readHead('/tmp', HEAD_BYTES)).toBeUndefined()
})
