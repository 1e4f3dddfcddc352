import { createSocket } from 'node:dgram'
import { promises as dns } from 'node:dns'
import type { AddressInfo } from 'node:net'

const A = 1

/** A name server on a port of its own: `answer` says what a name is at each question, so that it may change between two. */
export async function startDnsServer(answer: (name: string, question: number) => readonly string[]) {
  const socket = createSocket('udp4')
  let questions = 0
  socket.on('message', (query, { port, address }) => {
    let end = 12
    const labels: string[] = []
    while (query[end] !== 0) {
      const length = query[end] ?? 0
      labels.push(query.toString('latin1', end + 1, end + 1 + length))
      end += length + 1
    }
    const type = query.readUInt16BE(end + 1)
    const found = type === A ? answer(labels.join('.'), questions++) : []
    const header = Buffer.from(query.subarray(0, 12))
    header.writeUInt16BE(0x8180, 2)
    header.writeUInt16BE(found.length, 6)
    header.fill(0, 8, 12)
    const records = found.map((ip) =>
      Buffer.from([0xc0, 12, 0, A, 0, 1, 0, 0, 0, 0, 0, 4, ...ip.split('.').map(Number)]),
    )
    socket.send(Buffer.concat([header, query.subarray(12, end + 5), ...records]), port, address)
  })
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  const resolver = new dns.Resolver({ timeout: 2_000, tries: 1 })
  resolver.setServers([`127.0.0.1:${(socket.address() as AddressInfo).port}`])
  return {
    resolver,
    questions: () => questions,
    close: () => new Promise<void>((resolve) => socket.close(() => resolve())),
  }
}
