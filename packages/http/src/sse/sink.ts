import type { ServerResponse } from 'node:http'
import { cutOff } from '../cut-off'

/** Destination of a stream's bytes. */
export interface Sink {
  /** Writes a chunk. Returns whether more can be written now. */
  write(chunk: Uint8Array): boolean
  /** Resolves when more can be written, or when the reader has disconnected. */
  room(): Promise<void>
  /** Bytes that wait for the reader. */
  readonly pending: number
  /** Bytes that the reader's connection has accepted so far. */
  readonly taken: number
  /** Whether the reader has disconnected, even if it did so before any listener was added. */
  readonly closed: boolean
  end(): void
  /** Closes the connection to the reader. */
  destroy(): void
}

/**
 * Returns a sink that writes directly to Node's response. A web stream between them would cost several promises for
 * each of the thousand readers of an event (see the fan-out benchmark).
 */
export function nodeSink(outgoing: ServerResponse, headers: Record<string, string>, onClose: () => void): Sink {
  let wake: (() => void) | undefined
  const awake = () => {
    wake?.()
    wake = undefined
  }
  const close = () => {
    awake()
    onClose()
  }
  const { socket } = outgoing.req
  const isGone = () => outgoing.destroyed || socket.destroyed
  outgoing.on('drain', awake)
  outgoing.on('error', () => {})
  outgoing.on('close', close)
  // A response that is queued behind another one on its connection gets no `close` event when the connection ends.
  socket.once('close', close)
  // The end of the connection marks the end of the stream. Chunked encoding is off, so a message is one write of bytes
  // that all readers share.
  outgoing.useChunkedEncodingByDefault = false
  outgoing.writeHead(200, headers)
  let written = 0
  return {
    write(chunk) {
      if (isGone()) return true
      written += chunk.byteLength
      return outgoing.write(chunk)
    },
    room: () =>
      isGone() || !outgoing.writableNeedDrain
        ? Promise.resolve()
        : new Promise((resolve) => {
            wake = resolve
          }),
    get pending() {
      return outgoing.writableLength
    },
    get taken() {
      return written - outgoing.writableLength
    },
    get closed() {
      return isGone()
    },
    end: () => void outgoing.end(),
    destroy() {
      // Closing the connection also ends a response that is queued behind another one.
      cutOff(socket)
      awake()
    },
  }
}

/** Number of bytes that may wait in a web stream before its writer must wait. */
const HIGH_WATER_BYTES = 16 * 1024

/** Returns a sink together with the response body that it fills, for other platforms and for in-process requests. */
export function webSink(onClose: () => void): { sink: Sink; body: ReadableStream<Uint8Array> } {
  let wake: (() => void) | undefined
  let closed = false
  let controller: ReadableStreamDefaultController<Uint8Array>
  const awake = () => {
    wake?.()
    wake = undefined
  }
  const close = () => {
    if (closed) return
    closed = true
    awake()
    onClose()
  }
  const body = new ReadableStream<Uint8Array>(
    {
      start(given) {
        controller = given
      },
      pull: awake,
      cancel: close,
    },
    new ByteLengthQueuingStrategy({ highWaterMark: HIGH_WATER_BYTES }),
  )
  let written = 0
  const room = () => (controller.desiredSize ?? 0) > 0
  const pending = () => (closed ? 0 : HIGH_WATER_BYTES - (controller.desiredSize ?? HIGH_WATER_BYTES))
  const sink: Sink = {
    write(chunk) {
      if (closed) return true
      written += chunk.byteLength
      controller.enqueue(chunk)
      return room()
    },
    room: () =>
      closed || room()
        ? Promise.resolve()
        : new Promise((resolve) => {
            wake = resolve
          }),
    get pending() {
      return pending()
    },
    get taken() {
      return written - pending()
    },
    get closed() {
      return closed
    },
    end() {
      if (closed) return
      controller.close()
      close()
    },
    destroy() {
      if (closed) return
      controller.error(new Error('the reader fell too far behind'))
      close()
    },
  }
  return { sink, body }
}
