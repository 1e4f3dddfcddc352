import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import { crc32 } from 'node:zlib'
import type { ZipFile } from 'yauzl'
import type { ArchiveEntry } from './archive-entry'
import { isDiskTrouble } from './disk-errors'
import { inflated } from './inflate'
import type { ArchiveLimits } from './limits'
import { ArchiveRefused, refuse } from './refusal'

/**
 * Counts the bytes that are really unpacked, over all entries, and enforces the limits, because the sizes in the
 * directory may be false.
 */
export class UnpackBudget {
  private total = 0

  constructor(
    private readonly archiveBytes: number,
    private readonly limits: ArchiveLimits,
  ) {}

  spend(entry: ArchiveEntry, chunkBytes: number, entryBytes: number): void {
    const { unpackedBytes, ratio } = this.limits
    this.total += chunkBytes
    if (entryBytes > entry.unpackedBytes) refuse(entry.name, 'holds more than the directory says')
    if (this.total > unpackedBytes) refuse(entry.name, `makes the archive larger than ${unpackedBytes} bytes unpacked`)
    if (this.total > ratio * this.archiveBytes) {
      refuse(entry.name, `makes the archive denser than ${ratio}:1, unpacked to packed; no honest build is`)
    }
  }
}

/**
 * Passes the data of one entry through `sink` as a stream, within the limits, and verifies its size and checksum.
 * Throws ArchiveRefused.
 */
export async function readEntryData(
  zip: ZipFile,
  file: string,
  entry: ArchiveEntry,
  budget: UnpackBudget,
  sink: (chunk: Uint8Array) => Promise<void> | void,
): Promise<void> {
  let bytes = 0
  let checksum = 0
  try {
    const packed = await packedStream(zip, file, entry)
    for await (const chunk of entry.isStored ? packed : inflated(packed)) {
      bytes += chunk.length
      budget.spend(entry, chunk.length, bytes)
      checksum = crc32(chunk, checksum)
      await sink(chunk)
    }
  } catch (error) {
    if (error instanceof ArchiveRefused || isDiskTrouble(error)) throw error
    refuse(entry.name, `cannot be unpacked: ${error instanceof Error ? error.message : String(error)}`)
  }
  if (bytes !== entry.unpackedBytes) refuse(entry.name, 'holds less than the directory says')
  if (checksum !== entry.crc32) refuse(entry.name, 'has a wrong checksum')
}

async function packedStream(zip: ZipFile, file: string, entry: ArchiveEntry): Promise<AsyncIterable<Uint8Array>> {
  // At this call, yauzl checks that the data are inside the file.
  const start = await new Promise<number>((resolve, reject) => {
    const raw = { relativeOffsetOfLocalHeader: entry.headerOffset, compressedSize: entry.packedBytes }
    zip.readLocalFileHeader(raw as Parameters<ZipFile['readLocalFileHeader']>[0], { minimal: true }, (error, header) =>
      error === null || error === undefined ? resolve(header.fileDataStart) : reject(error),
    )
  })
  if (entry.packedBytes === 0) return Readable.from([])
  return createReadStream(file, { start, end: start + entry.packedBytes - 1 })
}
