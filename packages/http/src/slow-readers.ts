import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Timers } from '@matchyard/core/ports'
import { AnswersUnderWay } from './answers-under-way'
import { cutOff } from './cut-off'
import { HeldBytes } from './held-bytes'
import { networkOf } from './middleware/client-address'
import { SYSTEM_TIMERS } from './options'

/** Milliseconds between two checks of the answers that are being sent. */
const LOOK_EVERY_MS = 2_500
/**
 * Number of consecutive checks without progress after which an answer is cut off: 4 checks (10 seconds) if the handler
 * has written the complete answer, and 12 checks (30 seconds) for an incomplete answer, such as an event stream.
 */
const STILL_LOOKS = 4
const STILL_LOOKS_UNENDED = 12
/**
 * Maximum bytes of complete answers that wait for their readers. Bytes in the buffers of the operating system do not
 * count.
 */
const MAX_UNREAD_BYTES = 64 * 1024 * 1024

/** Progress of an answer at the previous check. */
interface Progress {
  readonly left: number
  /** Number of checks since bytes were last sent. */
  readonly stillFor: number
}

/**
 * Cuts off callers that send requests and do not read the answers. A complete answer is cut off after 10 seconds
 * without progress, an incomplete one after 30. Beyond 64 MiB of unread answers, the answer that has stalled for the
 * longest is cut off, at the address whose answers hold the most bytes (docs/http-api.md §1, "Connections").
 */
export function limitSlowReaders(
  server: Server,
  timers: Timers = SYSTEM_TIMERS,
  maxUnreadBytes: number = MAX_UNREAD_BYTES,
): void {
  const unread = new HeldBytes<ServerResponse>(maxUnreadBytes, ({ socket }) => socket && cutOff(socket))
  const progress = new Map<ServerResponse, Progress>()
  const open = new AnswersUnderWay((outgoing) => {
    progress.delete(outgoing)
    unread.remove(outgoing)
  })
  let isLooking = false

  // This listener must run before the handler, which may answer at once.
  server.prependListener('request', (incoming: IncomingMessage, outgoing: ServerResponse) => {
    open.add(incoming.socket, outgoing)
    outgoing.once('prefinish', ended)
    if (!isLooking) lookLater()
  })

  // Most answers have been sent completely at this point. Their bytes do not wait, so they are not counted.
  function ended(this: ServerResponse): void {
    const { socket } = this
    if (socket !== null && socket.writableLength > 0) unread.add(this, addressOf(socket), socket.writableLength)
  }

  function lookLater(): void {
    isLooking = true
    timers.after(LOOK_EVERY_MS, () => {
      isLooking = false
      for (const outgoing of open) look(outgoing, progress.get(outgoing))
      if (open.size > 0) lookLater()
    })
  }

  function look(outgoing: ServerResponse, before: Progress | undefined): void {
    const { socket, writableEnded } = outgoing
    if (socket === null || socket.writableLength === 0) {
      progress.delete(outgoing)
      return
    }
    const left = bytesLeft(socket)
    const isStill = before?.left === left
    const stillFor = isStill ? before.stillFor + 1 : 0
    progress.set(outgoing, { left, stillFor })
    // An answer with progress is added again, so that it comes after the answers that have stalled for longer.
    if (writableEnded && !isStill) unread.add(outgoing, addressOf(socket), socket.writableLength)
    if (stillFor >= (writableEnded ? STILL_LOOKS : STILL_LOOKS_UNENDED)) cutOff(socket)
  }
}

const addressOf = (socket: Socket) => networkOf(socket.remoteAddress ?? '')

/**
 * Returns a number that grows when the operating system accepts bytes, and stays equal when more bytes are written to
 * the socket. The difference of `bytesWritten` and `writableLength` changes only when a whole write has been sent. Only
 * the socket's internal handle shows how much of a write was accepted.
 */
function bytesLeft(socket: Socket): number {
  const { writeQueueSize = 0 } = (socket as { _handle?: { writeQueueSize?: number } | null })._handle ?? {}
  return socket.bytesWritten - socket.writableLength - writeQueueSize
}
