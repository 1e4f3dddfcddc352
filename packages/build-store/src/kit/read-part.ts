import type { FileHandle } from 'node:fs/promises'
import { type ArchivePart, StorageUnavailable } from '@matchyard/core/ports'

/** Bytes that are read at a time. */
const CHUNK_BYTES = 256 * 1024

/** Reads a part of a file, and closes the file. Throws StorageUnavailable when the file ends before the part. */
export async function* readPart(handle: FileHandle, { start, end }: ArchivePart): AsyncGenerator<Uint8Array> {
  try {
    for (let at = start; at < end; ) {
      const chunk = new Uint8Array(Math.min(CHUNK_BYTES, end - at))
      const { bytesRead } = await handle.read(chunk, 0, chunk.length, at)
      if (bytesRead === 0) throw new StorageUnavailable(`an archive ended after ${at} bytes of ${end}`)
      at += bytesRead
      yield chunk.subarray(0, bytesRead)
    }
  } finally {
    await handle.close()
  }
}
