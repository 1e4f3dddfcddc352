import { once } from 'node:events'
import { rmSync, writeFileSync } from 'node:fs'
import { connect as connectTcp, type Socket } from 'node:net'
import { eventually } from '@matchyard/tooling/eventually'
import { afterEach, expect, it } from 'vitest'
import { HANDSHAKES } from '../../supervisor/front/gate.mjs'
import { TestFront } from './front'

let front: TestFront
const echo = (socket: Socket) => void socket.pipe(socket)
afterEach(() => front?.stop())

/** Sends a text, and returns the bytes that come back until there are so many. */
async function answered(socket: Socket, text: string, bytes = Buffer.byteLength(text)): Promise<string> {
  let got = Buffer.alloc(0)
  const all = new Promise<string>((resolve, reject) => {
    socket.on('close', () => reject(new Error('closed')))
    socket.on('data', function take(chunk: Buffer) {
      got = Buffer.concat([got, chunk])
      if (got.length < bytes) return
      socket.off('data', take)
      resolve(got.toString())
    })
  })
  socket.write(text)
  return all
}

const plain = () => connectTcp({ host: '127.0.0.1', port: front.port }).on('error', () => {})

it('passes bytes on, also when they are many, and when one side has ended before the other', async () => {
  front = new TestFront(echo)
  const certificate = await front.certificate()
  await front.start(certificate)
  const socket = await front.connect(certificate)
  expect(await answered(socket, 'hello')).toBe('hello')
  const many = 'x'.repeat(8 * 1024 * 1024)
  expect(await answered(socket, many)).toHaveLength(many.length)
  const rest: Buffer[] = []
  socket.on('data', (chunk: Buffer) => rest.push(chunk))
  socket.end('the last words')
  await once(socket, 'end')
  expect(Buffer.concat(rest).toString()).toBe('the last words')
  await eventually(
    () => front.connections,
    (open) => open === 0,
  )
})

it('closes the connection when the game server does not listen, and when a side is gone', async () => {
  const taken: Socket[] = []
  front = new TestFront((socket) => void taken.push(socket.resume().on('end', () => socket.end())))
  const certificate = await front.certificate()
  await front.start(certificate)
  const [first, second] = [await front.connect(certificate), await front.connect(certificate)]
  await eventually(
    () => taken.length,
    (count) => count === 2,
  )
  first.destroy()
  await eventually(
    () => front.connections,
    (open) => open === 1,
  )
  front.endGame()
  for (const socket of taken) socket.resetAndDestroy()
  await once(second, 'close')
  const late = await front.connect(certificate)
  await once(late, 'close')
})

it('uses a new certificate for new connections, and keeps the others; a key of another certificate is not used', async () => {
  front = new TestFront(echo)
  const before = await front.certificate('first')
  await front.start(before)
  const old = await front.connect(before)
  const after = await front.certificate('second')
  const name = async () => {
    const socket = await front.connect({ ...before, ca: `${before.ca}\n${after.ca}` })
    const { subject } = socket.getPeerCertificate()
    socket.destroy()
    return subject.CN
  }
  await eventually(name, (seen) => seen === 'second')
  expect(await answered(old, 'still here')).toBe('still here')
  writeFileSync(after.keyFile, 'no key')
  await eventually(
    () => front.said.join('\n'),
    (said) => said.includes('the certificate that was read before stays in use'),
  )
  expect(await name()).toBe('second')
  expect(await answered(old, 'and here')).toBe('and here')
})

it('refuses a certificate that it cannot read, and a port that is taken, with a sentence', async () => {
  front = new TestFront(echo)
  const certificate = await front.certificate()
  await front.start(certificate)
  const again = await front.launch()
  expect(again.failed).toMatchObject({ code: 'EADDRINUSE' })
  rmSync(certificate.keyFile)
  expect((await front.launch()).failed?.message).toBe(`the key ${certificate.keyFile} cannot be read (ENOENT)`)
})

it('ends when the file with its plan is removed', async () => {
  front = new TestFront(echo)
  await front.start(await front.certificate())
  const ended = once(front.process, 'exit')
  rmSync(front.planFile)
  expect(await ended).toEqual([0, null])
})

it('ends with its parent', async () => {
  front = new TestFront(echo)
  await front.start(await front.certificate())
  const ended = once(front.process, 'exit')
  front.process.disconnect()
  expect(await ended).toEqual([0, null])
})

it('at the message of its parent takes no more connections, and ends when the last player has closed its side', async () => {
  const taken: Socket[] = []
  front = new TestFront((socket) => void taken.push(socket))
  const certificate = await front.certificate()
  await front.start(certificate)
  const player = await front.connect(certificate)
  await eventually(
    () => taken.length,
    (count) => count === 1,
  )
  const ended = once(front.process, 'exit')
  front.process.send('finish')
  await eventually(
    () => front.connect(certificate).then(String, String),
    (refused) => refused.includes('Error'),
  )
  taken[0]?.end('the last words')
  let last = ''
  player.on('data', (chunk) => {
    last += chunk
  })
  await once(player, 'end')
  expect(last).toBe('the last words')
  expect(await ended).toEqual([0, null])
})

it('closes strangers that speak no TLS, and those that do not finish the handshake in time', async () => {
  front = new TestFront(echo)
  const certificate = await front.certificate()
  await front.start(certificate, { handshakeMs: 300 })
  const silent = Array.from({ length: 100 }, plain)
  const loud = plain()
  loud.write('GET / HTTP/1.1\r\n\r\n')
  await Promise.all([...silent, loud].map((socket) => once(socket.resume(), 'close')))
  expect(front.connections).toBe(0)
  expect(await answered(await front.connect(certificate), 'a player')).toBe('a player')
})

it('gives a player a place while strangers hold all handshakes, and frees the places of those who end their side', async () => {
  front = new TestFront(echo)
  const certificate = await front.certificate()
  await front.start(certificate, { handshakeMs: 600_000 })
  const strangers = await Promise.all(
    Array.from({ length: HANDSHAKES }, async (_, n) => {
      const socket = connectTcp({ host: '127.0.0.1', port: front.port, localAddress: `127.0.0.${2 + (n % 4)}` })
      await once(
        socket.on('error', () => {}),
        'connect',
      )
      return socket.resume()
    }),
  )
  expect(await answered(await front.connect(certificate), 'a player')).toBe('a player')
  await eventually(
    () => strangers.filter(({ closed }) => closed).length,
    (count) => count === 1,
  )
  for (const socket of strangers) socket.end()
  await Promise.all(strangers.map((socket) => socket.closed || once(socket, 'close')))
})

it('lets no player wait for another one who takes no bytes, and ends such a connection', async () => {
  const slow: Socket[] = []
  front = new TestFront((socket) => {
    socket.once('data', (chunk) => {
      const isMuch = chunk.toString() === 'much'
      if (isMuch) slow.push(socket)
      socket.write(isMuch ? Buffer.alloc(64 * 1024 * 1024) : chunk)
      if (!isMuch) echo(socket)
    })
  })
  const certificate = await front.certificate()
  await front.start(certificate, { stallMs: 500 })
  const lazy = await front.connect(certificate)
  lazy.pause()
  lazy.write('much')
  await eventually(
    () => slow.length,
    (count) => count === 1,
  )
  const swift = await front.connect(certificate)
  expect(await answered(swift, 'swift')).toBe('swift')
  await eventually(
    () => slow[0]?.destroyed,
    (isGone) => isGone === true,
  )
  expect(await answered(swift, 'again')).toBe('again')
})
