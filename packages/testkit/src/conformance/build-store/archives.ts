import { createHash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

export const EXECUTABLE = 'bin/server'
export const PROGRAM = '#!/bin/sh\nexit 0\n'

export interface ArchiveFile {
  readonly name: string
  readonly content: Uint8Array
}

/** Returns an uncompressed ZIP archive of files. */
export function archiveOf(files: readonly ArchiveFile[]): Uint8Array {
  const [local, central]: [Buffer[], Buffer[]] = [[], []]
  let offset = 0
  for (const { name, content } of files) {
    const nameBytes = Buffer.from(name)
    const common = Buffer.alloc(26)
    common.writeUInt16LE(20, 0)
    common.writeUInt16LE(0x800, 2)
    common.writeUInt32LE(crc32(content), 10)
    common.writeUInt32LE(content.length, 14)
    common.writeUInt32LE(content.length, 18)
    common.writeUInt16LE(nameBytes.length, 22)
    const tail = Buffer.alloc(14)
    tail.writeUInt32LE((0o100644 << 16) >>> 0, 6)
    tail.writeUInt32LE(offset, 10)
    local.push(Buffer.from('PK\x03\x04', 'latin1'), common, nameBytes, Buffer.from(content))
    central.push(Buffer.from('PK\x01\x02\x14\x03', 'latin1'), common, tail, nameBytes)
    offset += 30 + nameBytes.length + content.length
  }
  const directory = Buffer.concat(central)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(files.length, 8)
  end.writeUInt16LE(files.length, 10)
  end.writeUInt32LE(directory.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...local, directory, end])
}

/** Returns the archive of a build with random content, so that every archive is different. */
export const someArchive = (bytes = 200): Uint8Array =>
  archiveOf([
    { name: EXECUTABLE, content: Buffer.from(PROGRAM) },
    { name: 'data', content: randomBytes(bytes) },
  ])

export const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

export async function* streamOf(bytes: Uint8Array, pieces = 3): AsyncGenerator<Uint8Array> {
  const size = Math.max(1, Math.ceil(bytes.length / pieces))
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}
