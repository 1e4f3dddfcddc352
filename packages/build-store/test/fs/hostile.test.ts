import { StorageUnavailable } from '@matchyard/core/ports'
import { temporaryFolder } from '@matchyard/tooling/temporary-folder'
import { describe, expect, it } from 'vitest'
import { fileBuildStore } from '../../src/fs/index'
import type { ArchiveLimits } from '../../src/kit/index'
import { good, PROGRAM, rawZip, zipOf } from '../../src/testing/index'
import { plant } from './archives'

type Logged = [level: string, message: string]

async function verdictOf(archive: Uint8Array, limits: Partial<ArchiveLimits> = {}, executablePath = 'server') {
  const directory = await temporaryFolder()
  const store = fileBuildStore({ directory, limits })
  await plant(directory, 'bld_1', archive)
  const log: Logged[] = []
  const verdict = await store.inspect('bld_1', { executablePath }, (...line) => log.push(line))
  return { verdict, log }
}

async function refusalOf(...args: Parameters<typeof verdictOf>): Promise<string> {
  const { verdict, log } = await verdictOf(...args)
  if (verdict.ok) return 'ACCEPTED'
  // The caller of `inspect` logs the message.
  expect(log.filter(([level]) => level === 'error')).toEqual([])
  return verdict.message
}

const beside = (...members: Parameters<typeof rawZip>[0]) => rawZip([good, ...members])
const text = (content: string) => Buffer.from(content)

describe('an honest archive', () => {
  it('is accepted, with what it holds counted and logged', async () => {
    const archive = await zipOf([
      { name: 'server', content: PROGRAM, options: { mode: 0o100755 } },
      { name: 'maps/', content: '' },
      { name: 'maps/Köln.json', content: '{}' },
      { name: 'raw.bin', content: Buffer.alloc(5000, 1), options: { compress: false } },
      { name: 'empty', content: '' },
    ])
    const { verdict, log } = await verdictOf(archive)
    expect(verdict).toEqual({ ok: true, entries: 5, unpackedBytes: PROGRAM.length + 2 + 5000 })
    expect(log.map(([level]) => level)).toEqual(['info', 'info', 'info'])
  })

  it('may start its names with "./"', async () => {
    const archive = rawZip([
      { name: './', mode: 0o040755 },
      { ...good, name: './server' },
    ])
    expect((await verdictOf(archive)).verdict.ok).toBe(true)
    expect((await verdictOf(archive, {}, './server')).verdict.ok).toBe(true)
  })

  it('is accepted with a warning when the executable does not look like one', async () => {
    const { verdict, log } = await verdictOf(await zipOf([{ name: 'server', content: 'hello' }]))
    expect(verdict.ok).toBe(true)
    expect(log).toContainEqual(['warn', expect.stringContaining('neither an ELF program nor a script')])
  })

  it('stands exactly at every limit', async () => {
    const archive = rawZip([good, { name: 'b', content: text('12345'), stored: true }])
    const unpackedBytes = PROGRAM.length + 5
    expect(await refusalOf(archive, { entries: 2, unpackedBytes })).toBe('ACCEPTED')
    expect(await refusalOf(archive, { entries: 1 })).toMatch(/"b" is one too many: at most 1 /)
    expect(await refusalOf(archive, { unpackedBytes: unpackedBytes - 1 })).toMatch(/"b" makes the archive larger/)
  })
})

describe('names', () => {
  it.each([
    ['../evil', /"\.\.\/evil" leaves the archive/],
    ['a/../../evil', /leaves the archive/],
    ['a/..', /leaves the archive/],
    ['/etc/passwd', /"\/etc\/passwd" is an absolute path/],
    ['C:evil', /"C:evil" is an absolute path/],
    ['a\\..\\b', /backslash in its name, and the archive was not made on Windows; pack it/],
    ['a//b', /empty part/],
    ['.', /names the root/],
    ['', /has no name/],
    ['a\0b', /"a\\u0000b" has a control character/],
    ['a\nb', /"a\\nb" has a control character/],
    ['a\u0085b', /control character/],
    [`${'a/'.repeat(600)}b`, /longer than 1024 bytes/],
    ['x'.repeat(256), /longer than 255 bytes/],
    ['its_svc.json', /"its_svc.json" stands where the service puts its own/],
    ['ITS_SVC.JSON', /stands where the service/],
    ['./its_svc.json', /stands where the service/],
  ])('refuses %j', async (name, message) => {
    expect(await refusalOf(beside({ name, content: text('x') }))).toMatch(message)
  })

  it('refuses what is not UTF-8, whatever the archive claims', async () => {
    for (const flags of [0, 0x800]) {
      const name = Buffer.from([0x61, 0xff, 0x62])
      expect(await refusalOf(beside({ name, flags }))).toMatch(/entry "aÿb" has a name that is not valid UTF-8/)
    }
  })

  it('reads backslashes as slashes where the archive was made on Windows, and judges what comes out', async () => {
    for (const madeBy of [0, 10, 14]) {
      const made = (name: string) => refusalOf(beside({ name, content: text('x'), madeBy }))
      expect(await made('Server_Data\\boot.config')).toBe('ACCEPTED')
      expect(await made('..\\evil')).toMatch(/leaves the archive/)
      expect(await made('\\\\host\\share')).toMatch(/absolute path/)
      expect(await made('.\\its_svc.json')).toMatch(/stands where the service puts its own/)
    }
    const both = beside({ name: 'a/b', madeBy: 0 }, { name: 'a\\b', madeBy: 0 })
    expect(await refusalOf(both)).toMatch(/duplicate/)
    expect(await refusalOf(beside({ name: 'bin\\run', madeBy: 0 }), {}, 'bin/run')).toBe('ACCEPTED')
  })

  it('says how to pack again what Windows wrote in another code page', async () => {
    for (const name of [Buffer.from('Men\x81.txt', 'latin1'), Buffer.from([0x83, 0x65, 0x83, 0x58, 0x83, 0x67])]) {
      expect(await refusalOf(beside({ name, flags: 0, madeBy: 0 }))).toMatch(
        /not valid UTF-8; rename the file, or pack/,
      )
    }
  })

  it('takes its_svc.json in a folder', async () => {
    expect(await refusalOf(beside({ name: 'docs/its_svc.json', content: text('x') }))).toBe('ACCEPTED')
  })

  it.each([
    [['a', 'a'], /"a" is a duplicate: the name occurs twice/],
    [['a', 'A'], /"A" is a duplicate/],
    [['straße', 'STRASSE'], /duplicate/],
    [['e\u0301', '\u00e9'], /duplicate/],
    [['dir/', 'dir/'], /"dir\/?" is a duplicate/],
    [['Dir/a', 'dir/b'], /duplicate: "Dir" differs from "dir"/],
    [['a', 'a/b'], /"a\/b" makes "a" both a file and a folder/],
    [['a/b', 'a'], /both a file and a folder/],
    [['a', 'a/'], /both a file and a folder/],
    [['./a', 'a'], /duplicate/],
  ])('refuses %j together', async (names, message) => {
    const members = names.map((name) => ({ name, mode: name.endsWith('/') ? 0o040755 : 0o100644 }))
    expect(await refusalOf(beside(...members))).toMatch(message)
  })

  it('takes a folder that is listed after a file in it', async () => {
    expect(await refusalOf(beside({ name: 'd/f' }, { name: 'd/', mode: 0o040755 }))).toBe('ACCEPTED')
  })
})

describe('kinds', () => {
  it.each([
    [0o120777, 'a symbolic link'],
    [0o060644, 'a device'],
    [0o020644, 'a device'],
    [0o010644, 'a named pipe'],
    [0o140644, 'a socket'],
    [0o040755, 'marked as something else than a file'],
  ])('refuses a file of mode %o', async (mode, what) => {
    for (const madeBy of [3, 0]) {
      expect(await refusalOf(beside({ name: 'odd', content: text('/etc'), mode, madeBy }))).toContain(
        `"odd" is ${what}`,
      )
    }
  })

  it('refuses a link that poses as a folder, and a folder with content', async () => {
    expect(await refusalOf(beside({ name: 'd/', mode: 0o120777 }))).toMatch(/"d\/" is a symbolic link/)
    expect(await refusalOf(beside({ name: 'd/', mode: 0o040755, content: text('x') }))).toMatch(/folder with content/)
  })

  it('refuses encryption and other packing methods', async () => {
    expect(await refusalOf(beside({ name: 'e', flags: 0x801 }))).toMatch(/"e" is encrypted/)
    expect(await refusalOf(beside({ name: 'e', flags: 0x2800 }))).toMatch(/"e" is encrypted/)
    expect(await refusalOf(beside({ name: 'e', flags: 0x841 }))).toMatch(/encryption/)
    expect(await refusalOf(beside({ name: 'e', method: 12 }))).toMatch(
      /"e" is packed with BZip2; only Deflate is read: pack/,
    )
    expect(await refusalOf(beside({ name: 'e', method: 9 }))).toMatch(/"e" is packed with Deflate64; only Deflate is/)
    expect(await refusalOf(beside({ name: 'e', method: 98 }))).toMatch(/"e" is packed with method 98;/)
  })
})

describe('the executable', () => {
  it('must be a regular file of exactly that name', async () => {
    expect(await refusalOf(beside(), {}, 'missing')).toMatch(/no file "missing" in the archive; it holds "server": set/)
    expect(await refusalOf(beside(), {}, 'Server')).toMatch(/no file "Server"/)
    expect(await refusalOf(beside({ name: 'd/', mode: 0o040755 }), {}, 'd')).toMatch(/no file "d"/)
    expect(await refusalOf(beside({ name: 'd/f' }), {}, 'd')).toMatch(/no file "d"/)
    expect(await refusalOf(beside({ name: 'bin/run' }), {}, 'bin/run')).toBe('ACCEPTED')
  })

  it('is looked for among at most five names, the nearest to the root first, each cut where it is long', async () => {
    const files = ['a/deep', 'b', 'c', 'd', 'e', 'f', 'x'.repeat(150)].map((name) => ({ name, content: text('') }))
    expect(await refusalOf(rawZip(files), {}, 'server')).toContain('; it holds "b", "c", "d", "e", "f" and 2 more: set')
    expect(await refusalOf(rawZip(files.slice(-1)))).toContain(`it holds "${'x'.repeat(100)}…": set`)
    expect(await refusalOf(rawZip([{ name: 'd/', mode: 0o040755 }]))).toMatch(/it holds no file$/)
  })

  it('is named by its place where a folder was packed instead of its content', async () => {
    const packed = rawZip([{ name: 'LinuxServer/server', content: text('#!/bin/sh') }])
    expect(await refusalOf(packed)).toMatch(
      'no file "server" in the archive; it is at "LinuxServer/server": pack the content of "LinuxServer", or set executable_path',
    )
  })
})

describe('sizes', () => {
  const zeros = Buffer.alloc(3_000_000)
  const noise = (bytes: number) => Buffer.alloc(bytes).map((_, i) => (i * 7919 + (i >> 8) * 31) & 0xff)

  it('refuses a bomb, also one hidden behind a few honest bytes', async () => {
    const message = /makes the archive denser than 200:1/
    expect(await refusalOf(beside({ name: 'bomb', content: zeros }))).toMatch(message)
    const hidden = beside({ name: 'ballast', content: noise(5_000), stored: true }, { name: 'bomb', content: zeros })
    expect(await refusalOf(hidden)).toMatch(message)
  })

  it('takes a file of zeros beside others: an archive is judged as a whole', async () => {
    const honest = beside(
      { name: 'world', content: noise(300_000), stored: true },
      { name: 'pages', content: zeros.subarray(0, 1_100_000) },
    )
    expect(await refusalOf(honest)).toBe('ACCEPTED')
  })

  it('refuses many small members that share the bytes of one', async () => {
    const first = rawZip([{ name: 'server', content: zeros.subarray(0, 900_000) }])
    expect(await refusalOf(first)).toMatch(/denser/)
    const shared = Array.from({ length: 40 }, (_, i) => ({
      name: `s${i}`,
      offset: 0,
      crc: 0,
      claimedBytes: 900_000,
      claimedPackedBytes: 900,
    }))
    expect(await refusalOf(rawZip([{ name: 'server', content: zeros.subarray(0, 900_000) }, ...shared]))).toMatch(
      /denser/,
    )
  })

  it('refuses sizes that lie, both ways', async () => {
    const content = text('x'.repeat(500))
    expect(await refusalOf(beside({ name: 'l', content, claimedBytes: 10 }))).toMatch(/"l" holds more than the dir/)
    expect(await refusalOf(beside({ name: 'l', content, claimedBytes: 501 }))).toMatch(/"l" holds less than the dir/)
    expect(await refusalOf(beside({ name: 'l', content, stored: true, claimedBytes: 10 }))).toMatch(/two sizes differ/)
  })

  it('refuses more than the directory admits before writing it anywhere', async () => {
    const claims = [1, 2, 3, 4, 5].map((i) => ({ name: `big${i}`, claimedBytes: 1024 ** 3 }))
    expect(await refusalOf(beside(...claims))).toMatch(/"big4" makes the archive larger than 4294967296 bytes/)
  })

  it('refuses more entries than allowed, whatever the count at the end says', async () => {
    const many = Array.from({ length: 20_000 }, (_, i) => ({ name: `f${i}`, stored: true }))
    expect(await refusalOf(rawZip([...many, good]))).toMatch(/"server" is one too many: at most 20000/)
  })
})

describe('damage', () => {
  it('refuses a wrong checksum', async () => {
    expect(await refusalOf(beside({ name: 'c', content: text('x'), crc: 1 }))).toMatch(/"c" has a wrong checksum/)
  })

  it('refuses broken data and data outside the file', async () => {
    const garbage = Buffer.from('ffffffffffffffff', 'hex')
    expect(await refusalOf(beside({ name: 'g', content: garbage, stored: true, method: 8 }))).toMatch(/"g" cannot be/)
    expect(await refusalOf(beside({ name: 'g', offset: 0xfffffff0 }))).toMatch(/"g" cannot be unpacked/)
    expect(await refusalOf(beside({ name: 'g', claimedPackedBytes: 1e9, claimedBytes: 1 }))).toMatch(/"g" cannot be/)
  })

  it('refuses what is no archive', async () => {
    for (const bytes of ['', 'PK', 'hello', 'x'.repeat(100_000)]) {
      expect(await refusalOf(text(bytes))).toMatch(/is not a ZIP archive, or is cut short/)
    }
  })

  it('refuses every truncation of a good archive', async () => {
    const archive = rawZip([good])
    for (let length = 0; length < archive.length; length++) {
      expect(await refusalOf(archive.subarray(0, length)), `${length} bytes`).not.toBe('ACCEPTED')
    }
  })

  it('refuses a directory that claims more rows than it has', async () => {
    expect(await refusalOf(rawZip([good], 3))).toMatch(/damaged directory \(row 2\)/)
  })

  it('survives a 64-bit end record whose offsets point nowhere', async () => {
    const archive = rawZip([good])
    const locator = Buffer.alloc(20)
    locator.writeUInt32LE(0x07064b50, 0)
    locator.writeBigUInt64LE(2n ** 64n - 1n, 8)
    const bytes = Buffer.concat([archive.subarray(0, -22), locator, archive.subarray(-22)])
    expect(await refusalOf(bytes)).toMatch(/cut short/)
  })

  it('says that there is no archive', async () => {
    const store = fileBuildStore({ directory: await temporaryFolder() })
    const verdict = await store.inspect('bld_9', { executablePath: 'x' }, () => {})
    expect(verdict).toEqual({ ok: false, message: 'build bld_9 has no archive' })
  })

  it('blames the disk, not the archive, when the disk fails', async () => {
    const directory = await temporaryFolder()
    const store = fileBuildStore({ directory })
    await plant(directory, 'bld_1', rawZip([good]))
    const full = Object.assign(new Error('disk full'), { code: 'ENOSPC' })
    const log = () => {
      throw full
    }
    await expect(store.inspect('bld_1', { executablePath: 'server' }, log)).rejects.toThrow(StorageUnavailable)
  })
})
