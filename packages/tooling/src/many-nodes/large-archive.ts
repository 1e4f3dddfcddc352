import { createHash, randomBytes } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ZipFile } from 'yazl'

const BLOCK = randomBytes(1024 ** 2)

export interface LargeArchive {
  readonly path: string
  readonly bytes: number
  readonly sha256: string
}

/** Writes the ZIP archive of a game server with `dataBytes` bytes of incompressible data, rounded up to whole MiB. */
export async function writeLargeArchive(path: string, dataBytes: number): Promise<LargeArchive> {
  const blocks = function* () {
    for (let written = 0; written < dataBytes; written += BLOCK.length) yield BLOCK
  }
  const zip = new ZipFile()
  zip.addBuffer(Buffer.from('#!/bin/sh\nexec sleep 1000\n'), 'server', { mode: 0o100755 })
  zip.addReadStream(Readable.from(blocks(), { objectMode: false }), 'data', { compress: false })
  zip.end()
  await pipeline(zip.outputStream, createWriteStream(path))
  const hash = createHash('sha256')
  let bytes = 0
  for await (const chunk of createReadStream(path)) {
    hash.update(chunk as Buffer)
    bytes += (chunk as Buffer).length
  }
  return { path, bytes, sha256: hash.digest('hex') }
}

/** Sends the archive from its file as a stream and returns the HTTP status of the answer. */
export async function sendLargeArchive(url: string, { path, bytes }: LargeArchive): Promise<number> {
  const body = Readable.toWeb(createReadStream(path))
  const headers = { 'content-length': String(bytes) }
  return (await fetch(url, { method: 'PUT', headers, body, duplex: 'half' } as unknown as RequestInit)).status
}
