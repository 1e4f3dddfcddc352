import { crc32, deflateRawSync } from 'node:zlib'
import { type Options, ZipFile } from 'yazl'

export const PROGRAM = '#!/bin/sh\nexit 0\n'

export interface Member {
  readonly name: string
  readonly content?: string | Uint8Array
  readonly options?: Partial<Options>
}

/** Returns a usual ZIP archive, made with yazl. */
export async function zipOf(members: readonly Member[]): Promise<Buffer> {
  const zip = new ZipFile()
  for (const { name, content, options } of members) {
    if (name.endsWith('/')) zip.addEmptyDirectory(name)
    else zip.addBuffer(Buffer.from(content ?? ''), name, options)
  }
  zip.end()
  const chunks: Buffer[] = []
  for await (const chunk of zip.outputStream) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

export interface RawMember {
  readonly name: string | Uint8Array
  readonly content?: Uint8Array
  readonly stored?: boolean
  readonly flags?: number
  readonly method?: number
  readonly mode?: number
  readonly madeBy?: number
  readonly claimedBytes?: number
  readonly claimedPackedBytes?: number
  readonly crc?: number
  readonly offset?: number
}

/** Returns an archive that is made byte by byte, for contents that no usual tool writes. */
export function rawZip(members: readonly RawMember[], claimedEntries = members.length): Buffer {
  const local: Buffer[] = []
  const central: Buffer[] = []
  let offset = 0
  for (const member of members) {
    const name = Buffer.from(member.name)
    const content = Buffer.from(member.content ?? '')
    const data = member.stored === true ? content : deflateRawSync(content)
    const header = Buffer.alloc(30)
    header.writeUInt32LE(0x04034b50, 0)
    header.writeUInt16LE(name.length, 26)
    const row = Buffer.alloc(46)
    row.writeUInt32LE(0x02014b50, 0)
    row.writeUInt16LE((member.madeBy ?? 3) << 8, 4)
    row.writeUInt16LE(member.flags ?? 0x800, 8)
    row.writeUInt16LE(member.method ?? (member.stored === true ? 0 : 8), 10)
    row.writeUInt32LE(member.crc ?? crc32(content), 16)
    row.writeUInt32LE(member.claimedPackedBytes ?? data.length, 20)
    row.writeUInt32LE(member.claimedBytes ?? content.length, 24)
    row.writeUInt16LE(name.length, 28)
    row.writeUInt32LE(((member.mode ?? 0o100644) << 16) >>> 0, 38)
    row.writeUInt32LE(member.offset ?? offset, 42)
    local.push(header, name, data)
    central.push(row, name)
    offset += header.length + name.length + data.length
  }
  const directory = Buffer.concat(central)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(claimedEntries, 8)
  end.writeUInt16LE(claimedEntries, 10)
  end.writeUInt32LE(directory.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...local, directory, end])
}

/** A valid program, for archives that also contain hostile entries. */
export const good: RawMember = { name: 'server', content: Buffer.from(PROGRAM), mode: 0o100755 }

export async function* streamOf(...chunks: (Uint8Array | string | Error)[]): AsyncGenerator<Uint8Array> {
  for (const chunk of chunks) {
    if (chunk instanceof Error) throw chunk
    yield Buffer.from(chunk)
  }
}
