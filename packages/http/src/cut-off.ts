import type { Socket } from 'node:net'

/**
 * Closes the connection of somebody who does not read, by a reset where it is TCP: closed the usual way, the system would keep what it holds for
 * them, up to megabytes, and offer it for minutes.
 */
export function cutOff(socket: Socket): void {
  if (socket.remoteAddress === undefined) socket.destroy()
  else socket.resetAndDestroy()
}
