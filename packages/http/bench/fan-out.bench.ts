import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { median } from './service'

// One lobby, 1,000 readers of its event stream, beside a raw node:http loop that writes the same bytes: medians of five.
const READERS = 1_000
const EVENTS = 40
const ROUNDS = 5

interface Started {
  readonly ours: number
  readonly raw: number
  readonly clientKey: string
  readonly lobbyId: string
}

const child: ChildProcess = fork(new URL('fan-out-server.ts', import.meta.url), {
  execArgv: ['--conditions=@matchyard/source', '--import', 'tsx'],
})
const [started] = (await once(child, 'message')) as [Started]

/** Counts the frames that arrive at all readers together. */
class Readers {
  frames = 0
  private target = 0
  private reached: (() => void) | undefined
  readonly sockets: Socket[] = []

  until(frames: number): Promise<void> {
    return new Promise((resolve) => {
      this.target = frames
      this.reached = resolve
      this.check()
    })
  }

  async open(port: number, path: string): Promise<void> {
    const head = [
      `GET ${path} HTTP/1.1`,
      'host: localhost',
      `api-key: ${started.clientKey}`,
      'x-player-id: ann',
      '',
      '',
    ]
    for (let n = 0; n < READERS; n++) {
      const socket = connect(port, '127.0.0.1', () => socket.write(head.join('\r\n')))
      let newline = false
      socket.on('data', (chunk) => {
        for (const byte of chunk) {
          if (byte === 10 && newline) this.frames++
          newline = byte === 10
        }
        this.check()
      })
      this.sockets.push(socket)
    }
  }

  private check(): void {
    if (this.frames >= this.target) this.reached?.()
  }
}

async function cpuMs(): Promise<number> {
  child.send({ n: 0, from: true })
  const [{ cpu }] = (await once(child, 'message')) as [{ cpu: NodeJS.CpuUsage }]
  return (cpu.user + cpu.system) / 1_000
}

let published = 0

async function measure(side: 'ours' | 'raw') {
  const readers = new Readers()
  await readers.open(started[side], `/v1/lobbies/${started.lobbyId}/events`)
  // Ours begins with retry and the lobby as it is, the raw loop with retry alone.
  await readers.until(READERS * (side === 'ours' ? 2 : 1))
  const before = { at: performance.now(), cpu: await cpuMs(), frames: readers.frames }
  for (let n = 1; n <= EVENTS; n++) {
    child.send({ side, n: ++published })
    await readers.until(before.frames + n * READERS)
  }
  const messages = EVENTS * READERS
  const seconds = (performance.now() - before.at) / 1_000
  const cpu = (await cpuMs()) - before.cpu
  for (const socket of readers.sockets) socket.destroy()
  return { perSecond: messages / seconds, cpuMicros: (cpu * 1_000) / messages }
}

const results: Record<'ours' | 'raw', Awaited<ReturnType<typeof measure>>[]> = { ours: [], raw: [] }
for (let round = 0; round <= ROUNDS; round++) {
  for (const side of ['raw', 'ours'] as const) {
    const result = await measure(side)
    // The first round warms up.
    if (round > 0) results[side].push(result)
  }
}
const of = (side: 'ours' | 'raw', what: 'perSecond' | 'cpuMicros') =>
  median(results[side].map((result) => result[what]))
console.log(`fan-out of ${EVENTS} events to ${READERS} readers, medians of ${ROUNDS}`)
for (const side of ['ours', 'raw'] as const) {
  const name = side === 'ours' ? 'event stream' : 'raw node:http'
  console.log(
    `${name.padEnd(14)} ${of(side, 'perSecond').toFixed(0).padStart(7)} messages/s   ${of(side, 'cpuMicros').toFixed(1)} µs of CPU each`,
  )
}
console.log(
  `ratio ${(of('ours', 'perSecond') / of('raw', 'perSecond')).toFixed(2)} in speed, ${(of('ours', 'cpuMicros') / of('raw', 'cpuMicros')).toFixed(2)} in CPU`,
)
child.kill()
