import { ServiceError, validationFailed } from '@matchyard/core'
import type { Exchange } from '../exchange/exchange'

/**
 * Resolves to the whole body, at most `maxBytes` bytes, whether or not its length was announced. Rejects with
 * `PAYLOAD_TOO_LARGE`, and with `VALIDATION_FAILED` when only a part of the body arrives.
 */
export async function readBytes(exchange: Exchange, maxBytes: number): Promise<Uint8Array> {
  const announced = exchange.header('content-length')
  if (announced !== undefined && Number(announced) > maxBytes) throw tooLarge(maxBytes)
  const chunked = exchange.header('transfer-encoding') !== undefined
  try {
    // In Node, a request without `content-length` and `transfer-encoding` has no body, and a body has exactly its
    // announced length.
    if (exchange.incoming !== undefined && !chunked) {
      return announced === undefined || announced === '0' ? new Uint8Array() : await exchange.whole()
    }
    return await collect(exchange.body, maxBytes)
  } catch (error) {
    if (error instanceof ServiceError) throw error
    throw validationFailed([{ path: '', message: 'did not arrive completely' }])
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
