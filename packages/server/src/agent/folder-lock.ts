import { rmSync } from 'node:fs'
import { connect, createServer, type Server } from 'node:net'
import { join, relative } from 'node:path'
import { ConfigurationError } from '../config/configuration-error'

/** Maximum bytes of the path of a socket on Linux and macOS. */
const MAX_PATH = 100

/**
 * Takes the folder of an agent for this process, until the process ends. The lock is a socket in the folder: the system
 * closes it when the process dies, so it never outlives its process. Rejects with ConfigurationError while another
 * process has the folder.
 */
export async function lockFolder(directory: string): Promise<{ release(): Promise<void> }> {
  const path = shortest(join(directory, 'agent.sock'))
  for (let tries = 1; ; tries++) {
    const server = await listening(path)
    if (server !== undefined) return { release: () => closed(server) }
    if (tries > 1 || (await isAnswered(path)))
      throw new ConfigurationError(
        `another agent runs with the data folder ${directory}; give this one another folder with MATCHYARD_DATA, or stop the other one`,
      )
    rmSync(path, { force: true })
  }
}

/** Returns the path, or the path from the current folder when that is shorter and the path is too long for a socket. */
function shortest(path: string): string {
  if (Buffer.byteLength(path) <= MAX_PATH) return path
  const near = relative(process.cwd(), path)
  if (Buffer.byteLength(near) <= MAX_PATH) return near
  throw new ConfigurationError(
    `MATCHYARD_DATA: the path is too long; give a folder with a path of at most ${MAX_PATH - 11} bytes`,
  )
}

function listening(path: string): Promise<Server | undefined> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy())
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(undefined) : reject(error),
    )
    server.listen(path, () => {
      server.unref()
      resolve(server)
    })
  })
}

function isAnswered(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path)
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}

const closed = (server: Server) => new Promise<void>((resolve) => server.close(() => resolve()))
