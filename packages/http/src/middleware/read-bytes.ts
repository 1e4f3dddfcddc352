import { ServiceError, validationFailed } from '@matchyard/core'
import { type HttpContext, incomingOf } from './node-bindings'

/** The whole body, at most `maxBytes`, whether or not its length was announced. Throws PAYLOAD_TOO_LARGE, VALIDATION_FAILED. */
export async function readBytes(c: HttpContext, maxBytes: number): Promise<Uint8Array> {
  const announced = c.req.header('content-length')
  if (announced !== undefined && Number(announced) > maxBytes) throw tooLarge(maxBytes)
  const chunked = c.req.header('transfer-encoding') !== undefined
  try {
    // Under Node a request with neither header has no body, and one with a length holds exactly that many bytes.
    if (incomingOf(c) !== undefined && !chunked) {
      if (announced === undefined || announced === '0') return new Uint8Array()
      return new Uint8Array(await c.req.arrayBuffer())
    }
    return await collect(bodyChunks(c), maxBytes)
  } catch (error) {
    if (error instanceof ServiceError) throw error
    throw validationFailed([{ path: '', message: 'did not arrive whole' }])
  }
}

/** The body as it arrives. Stopping early leaves the connection able to carry the answer. */
export function bodyChunks(c: HttpContext): AsyncIterable<Uint8Array> {
  const incoming = incomingOf(c)
  if (incoming !== undefined) return incoming.iterator({ destroyOnReturn: false })
  return webChunks(c.req.raw.body)
}

async function* webChunks(body: ReadableStream<Uint8Array> | null): AsyncIterable<Uint8Array> {
  if (body === null) return
  const reader = body.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      yield value
    }
  } finally {
    await reader.cancel().catch(() => {})
  }
}

async function collect(chunks: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  let length = 0
  for await (const part of chunks) {
    length += part.byteLength
    if (length > maxBytes) throw tooLarge(maxBytes)
    parts.push(part)
  }
  if (parts.length === 1 && parts[0] !== undefined) return parts[0]
  const whole = new Uint8Array(length)
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.byteLength
  }
  return whole
}

const tooLarge = (maxBytes: number) =>
  new ServiceError('PAYLOAD_TOO_LARGE', `the request body is larger than ${maxBytes} bytes`)
