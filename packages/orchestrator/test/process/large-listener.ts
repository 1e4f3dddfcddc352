import { knock } from '../../src/kit/index'

/** The kernel takes some fifty milliseconds to let go of so much memory, and lets go of ports after it: a look takes one of them. */
export const LARGE_MIB = 512

/** A program that holds so much memory and listens, in JavaScript; `tell` is called with its port. */
export const listener = (memoryMib: number, tell: string): string => `
  const memory = Buffer.alloc(${memoryMib} << 20, 1)
  const server = require('node:net').createServer((socket) => socket.end(String(memory[0])))
  server.listen(0, '127.0.0.1', () => (${tell})(String(server.address().port)))`

export const answerOf = (port: number) => knock('127.0.0.1', port)
