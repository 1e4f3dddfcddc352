import { InflateRaw } from 'minizlib'

/**
 * Number of compressed bytes that are inflated at a time. The output of such a piece is in memory; it is at most 1,032
 * times as large.
 */
const PIECE_BYTES = 4096

/**
 * Inflates compressed data in the calling thread. Node's own streams would use the thread pool of the process. The
 * pool's threads have no separate priority, and they also read and write all files of the process. Throws the errors of
 * zlib.
 */
export async function* inflated(packed: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let out: Uint8Array[] = []
  let failure: unknown
  const inflate = new InflateRaw({})
  inflate.on('data', (chunk: Uint8Array) => out.push(chunk))
  inflate.on('error', (error: unknown) => {
    failure ??= error
  })
  const taken = () => {
    if (failure !== undefined) throw failure
    const chunks = out
    out = []
    return chunks
  }
  try {
    for await (const chunk of packed) {
      for (let at = 0; at < chunk.length; at += PIECE_BYTES) {
        inflate.write(Buffer.from(chunk.buffer, chunk.byteOffset + at, Math.min(PIECE_BYTES, chunk.length - at)))
        yield* taken()
      }
    }
    inflate.end()
    yield* taken()
  } finally {
    inflate.close()
  }
}
