import type { Socket } from 'node:net'

/**
 * Closes the connection of a caller that does not read. A TCP connection is reset. After a normal close the system
 * would keep its unsent bytes, up to megabytes, and try to send them for minutes.
 */
export function cutOff(socket: Socket): void {
  if (socket.remoteAddress === undefined) socket.destroy()
  else socket.resetAndDestroy()
}
