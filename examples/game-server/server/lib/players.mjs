import { createSocket } from 'node:dgram'

const MAX_NAME_BYTES = 512

/** Serves players over UDP; returns undefined without a port for them. One datagram is one message. */
export async function servePlayers(port, match, over) {
  if (!port) return undefined
  const socket = createSocket('udp4')
  const send = (text, { address, port: to }) =>
    new Promise((resolve) => socket.send(text, to, address, () => resolve()))

  const messages = {
    ping: (from, text) => send(text === '' ? 'pong' : `pong ${text}`, from),
    hello(from, name) {
      const playerId = decode(name)
      if (playerId === undefined || !match.greet(playerId, from)) return send(`refused ${name}`, from)
      console.log(`${playerId} is here (${match.count})`)
      return send(`welcome ${name} ${match.count}`, from)
    },
    say(from, text) {
      const playerId = match.playerAt(from)
      if (playerId === undefined) return send('refused', from)
      return Promise.all(match.others(playerId).map((to) => send(`from ${encodeURIComponent(playerId)} ${text}`, to)))
    },
    players: (from) => send(`players ${match.count}`, from),
    over: (from) => (match.playerAt(from) === undefined ? send('refused', from) : over()),
  }

  socket.on('message', (message, from) => {
    const text = message.toString('utf8')
    const space = text.indexOf(' ')
    const word = (space < 0 ? text : text.slice(0, space)).trim()
    // Unknown messages get no answer, because answers would help attackers with forged addresses.
    if (Object.hasOwn(messages, word)) messages[word](from, space < 0 ? '' : text.slice(space + 1))
  })
  await new Promise((resolve, reject) => {
    socket.once('error', reject)
    socket.bind(port, resolve)
  })
  return { farewell: () => Promise.all([...match.addresses.values()].map((to) => send('bye', to))) }
}

/** Player ids may contain spaces, so messages hold them percent-encoded. */
function decode(name) {
  try {
    return name === '' || name.length > MAX_NAME_BYTES ? undefined : decodeURIComponent(name)
  } catch {
    return undefined
  }
}
