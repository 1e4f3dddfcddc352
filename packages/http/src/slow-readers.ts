import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Timers } from '@matchyard/core/ports'
import { AnswersUnderWay } from './answers-under-way'
import { cutOff } from './cut-off'
import { HeldBytes } from './held-bytes'
import { networkOf } from './middleware/client-address'
import { SYSTEM_TIMERS } from './options'

/** Between looks at the answers that are on their way. */
const LOOK_EVERY_MS = 2_500
/** Looks at which nothing had left, and the answer is cut off: after 10 seconds, or 30 where it has not come to its end, as event streams have not. */
const STILL_LOOKS = 4
const STILL_LOOKS_UNENDED = 12
/** Bytes of answers that nobody has read yet, beside what the system holds of them. */
const MAX_UNREAD_BYTES = 64 * 1024 * 1024

/** How far an answer was when it was last looked at. */
interface Progress {
  readonly left: number
  /** Looks since anything left. */
  readonly stillFor: number
}

/**
 * Cuts off who asks and does not read: an answer of which nothing has left for 10 seconds, and, past 64 MiB of answers that wait for their readers,
 * the one that has stalled for the longest of the address whose answers hold the most (docs/http-api.md §1, "Connections").
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

  // This listener runs before the handler, which may answer at once.
  server.prependListener('request', (incoming: IncomingMessage, outgoing: ServerResponse) => {
    open.add(incoming.socket, outgoing)
    outgoing.once('prefinish', ended)
    if (!isLooking) lookLater()
  })

  // Most answers have left by then, all of them.
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
    // Behind those that have stalled for longer.
    if (writableEnded && !isStill) unread.add(outgoing, addressOf(socket), socket.writableLength)
    if (stillFor >= (writableEnded ? STILL_LOOKS : STILL_LOOKS_UNENDED)) cutOff(socket)
  }
}

const addressOf = (socket: Socket) => networkOf(socket.remoteAddress ?? '')

/**
 * A number that changes when bytes leave, and not when more are written behind them. Node tells of an answer that was written at once when all of it
 * has left; of how much the system has taken so far only the socket's handle tells.
 */
function bytesLeft(socket: Socket): number {
  const { writeQueueSize = 0 } = (socket as { _handle?: { writeQueueSize?: number } | null })._handle ?? {}
  return socket.bytesWritten - socket.writableLength - writeQueueSize
}
