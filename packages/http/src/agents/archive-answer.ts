import type { Exchange } from '../exchange/exchange'

interface Part {
  readonly start: number
  readonly end: number
}

/**
 * Returns the answer with an archive, or with the part that the header `range` names. A range of another form is
 * ignored (RFC 9110 §14.2). `done` is called when the last byte was read, or when the reader went away.
 */
export function archiveAnswer(
  { exchange, headers }: { readonly exchange: Exchange; readonly headers: Record<string, string> },
  sizeBytes: number,
  read: (part: Part) => AsyncIterable<Uint8Array>,
  done: () => void,
): Response {
  const range = rangeOf(exchange.header('range'), sizeBytes)
  const { start, end } = range ?? { start: 0, end: sizeBytes }
  const more = {
    ...headers,
    'accept-ranges': 'bytes',
    'content-type': 'application/zip',
    'content-length': String(end - start),
    ...(range === undefined ? {} : { 'content-range': `bytes ${start}-${end - 1}/${sizeBytes}` }),
  }
  const status = range === undefined ? 200 : 206
  if (exchange.method !== 'HEAD') return new Response(streamOf(read({ start, end }), done), { status, headers: more })
  done()
  return new Response(null, { status, headers: more })
}

function rangeOf(header: string | undefined, sizeBytes: number): Part | undefined {
  const [, from, to = ''] = /^bytes=(\d{1,15})-(\d{0,15})$/.exec(header ?? '') ?? []
  if (from === undefined) return undefined
  const start = Number(from)
  const end = to === '' ? sizeBytes : Math.min(sizeBytes, Number(to) + 1)
  return start < end ? { start, end } : undefined
}

/** Returns the bytes as a stream, which reads the next chunk when its reader has room for it. */
function streamOf(chunks: AsyncIterable<Uint8Array>, done: () => void): ReadableStream<Uint8Array> {
  const all = chunks[Symbol.asyncIterator]()
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const next = await all.next()
        if (next.done !== true) return controller.enqueue(next.value)
        done()
        controller.close()
      } catch (error) {
        done()
        controller.error(error)
      }
    },
    async cancel() {
      done()
      await all.return?.()
    },
  })
}
