import { knock } from '../../src/kit/index'

/**
 * Mebibytes of memory that the kernel frees in about fifty milliseconds, before it closes the ports; one check takes
 * one of these milliseconds.
 */
export const LARGE_MIB = 512

/** Returns a JavaScript program that holds this much memory and listens; `tell` is called with its port. */
export const listener = (memoryMib: number, tell: string): string => `
  const memory = Buffer.alloc(${memoryMib} << 20, 1)
  const server = require('node:net').createServer((socket) => socket.end(String(memory[0])))
  server.listen(0, '127.0.0.1', () => (${tell})(String(server.address().port)))`

export const answerOf = (port: number) => knock('127.0.0.1', port)
