import { open } from 'node:fs/promises'

const PIECE_BYTES = 64 * 1024

/**
 * Returns at most the first `maxBytes` of a file. Works for kernel files, which have no known size. Rejects with the
 * system's error.
 */
export async function readAtMost(path: string, maxBytes: number): Promise<Buffer> {
  const handle = await open(path, 'r')
  try {
    const pieces: Buffer[] = []
    for (let left = maxBytes; left > 0; ) {
      const size = Math.min(PIECE_BYTES, left)
      const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(size), 0, size, null)
      if (bytesRead === 0) break
      pieces.push(buffer.subarray(0, bytesRead))
      left -= bytesRead
    }
    return pieces.length === 1 && pieces[0] !== undefined ? pieces[0] : Buffer.concat(pieces)
  } finally {
    await handle.close()
  }
}
