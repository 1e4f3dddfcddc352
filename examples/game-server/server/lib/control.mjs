import { createServer } from 'node:net'

const MAX_LINE = 1024

/**
 * Serves tools over TCP; returns undefined without a port for them. One line is one command and gets one line as its
 * answer.
 */
export async function serveControl(port, config, match, over) {
  if (!port) return undefined
  const commands = {
    ping: (text) => (text === '' ? 'pong' : `pong ${text}`),
    config: () => JSON.stringify(config),
    players: () => JSON.stringify({ connected: [...match.addresses.keys()], expected: [...match.expected] }),
  }
  const server = createServer((socket) => {
    let buffered = ''
    socket.setEncoding('utf8')
    socket.on('error', () => socket.destroy())
    socket.on('data', (data) => {
      buffered += data
      for (let end = buffered.indexOf('\n'); end >= 0; end = buffered.indexOf('\n')) {
        const line = buffered.slice(0, end).trimEnd()
        buffered = buffered.slice(end + 1)
        const [word] = line.split(' ', 1)
        if (word === 'over') socket.end('bye\n', over)
        else
          socket.write(`${Object.hasOwn(commands, word) ? commands[word](line.slice(word.length + 1)) : 'unknown'}\n`)
      }
      if (buffered.length > MAX_LINE) socket.destroy()
    })
  })
  await new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, resolve)
  })
  return server
}
