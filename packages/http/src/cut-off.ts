import type { Socket } from 'node:net'

/**
 * Closes the connection of a caller that does not read its answers. A TCP connection is reset, because after a normal
 * close the operating system would keep up to megabytes of unsent bytes, and would try to send them for minutes.
 */
export function cutOff(socket: Socket): void {
  if (socket.remoteAddress === undefined) socket.destroy()
  else socket.resetAndDestroy()
}
