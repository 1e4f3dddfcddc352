import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'

export interface Written {
  readonly bytes: number
  readonly sha256: string
}

/**
 * Writes a stream to a new file. Returns the size and the SHA-256 when the file is on the disk. Before each write,
 * `check` gets the number of bytes so far, and throws when there are too many.
 */
export async function writeChunks(
  path: string,
  chunks: AsyncIterable<Uint8Array>,
  check: (bytes: number) => void,
): Promise<Written> {
  const hash = createHash('sha256')
  const handle = await open(path, 'wx', 0o600)
  let bytes = 0
  try {
    for await (const chunk of chunks) {
      bytes += chunk.length
      check(bytes)
      hash.update(chunk)
      await handle.writeFile(chunk)
    }
    await handle.sync()
  } finally {
    await handle.close()
  }
  return { bytes, sha256: hash.digest('hex') }
}
