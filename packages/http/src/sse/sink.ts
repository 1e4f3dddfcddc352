import type { ServerResponse } from 'node:http'
import { cutOff } from '../cut-off'

/** Where a stream is written. */
export interface Sink {
  /** Writes a chunk. Returns whether there is space for more now. */
  write(chunk: Uint8Array): boolean
  /** Resolves when there is room again or the reader is gone. */
  room(): Promise<void>
  /** Bytes that wait for the reader. */
  readonly pending: number
  /** Bytes that went on their way so far. */
  readonly taken: number
  /** The reader is gone, also where it went before anybody listened for that. */
  readonly closed: boolean
  end(): void
  /** Cuts the reader off. */
  destroy(): void
}

/**
 * Straight onto Node's response. A web stream between would cost several promises for each of a thousand readers of one event
 * (see the fan-out benchmark).
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
  // A response that waits behind another one of its connection is not told when that ends.
  socket.once('close', close)
  // The end of a stream is the end of its connection: without chunks a message is one write of bytes that all readers share.
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
      // Behind another answer of its connection it is gone with that one.
      cutOff(socket)
      awake()
    },
  }
}

/** Bytes that wait in a web stream before its writer does. */
const HIGH_WATER_BYTES = 16 * 1024

/** For other platforms, and for requests made in the process. */
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
