import { InflateRaw } from 'minizlib'

/** Packed bytes at a time: what they become is held, at most 1,032 times as much. */
const PIECE_BYTES = 4096

/**
 * Unpacks in the thread that asks. Node's own streams do it in the pool of the process, whose threads know no priority and
 * also read and write the files of everybody. Throws what zlib says of the data.
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
