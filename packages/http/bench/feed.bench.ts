import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

// One project with 500 changes per second and 1,000 readers of its feed, a tenth of which stop reading for a while.
// Measures the memory and the CPU time of the service, and counts the readers that receive a gap.
// `npm run bench -- feed <seconds>`
const READERS = 1_000
const CHANGES_PER_SECOND = 500
const SECONDS = Number(process.argv[2] ?? 30)
const SLOW = 10
/** Milliseconds for which slow readers stop reading; shorter than two keep-alives. */
const STALLED_MS = Math.min(22_000, SECONDS * 750)
const MB = 1024 * 1024

interface Figures {
  readonly cpu: NodeJS.CpuUsage
  readonly rss: number
  readonly held: number
  readonly changed: number
  readonly open: number
}

const child: ChildProcess = fork(new URL('feed-server.ts', import.meta.url), {
  execArgv: ['--expose-gc', '--conditions=@matchyard/source', '--import', 'tsx'],
})
const [{ port, serverKey }] = (await once(child, 'message')) as [{ port: number; serverKey: string }]

async function figures(): Promise<Figures> {
  child.send({})
  const [told] = (await once(child, 'message')) as [Figures]
  return told
}

/** Reader that counts its bytes and gaps, and keeps no data. */
class Reader {
  bytes = 0
  gaps = 0
  last = 0
  readonly socket: Socket

  constructor() {
    this.socket = connect(port, '127.0.0.1', () =>
      this.socket.write(`GET /v1/events?kinds=lobby HTTP/1.1\r\nhost: localhost\r\napi-key: ${serverKey}\r\n\r\n`),
    )
    this.socket.on('data', (chunk) => {
      this.bytes += chunk.byteLength
      for (let at = chunk.indexOf('event: gap'); at !== -1; at = chunk.indexOf('event: gap', at + 1)) this.gaps++
    })
    this.socket.on('error', () => {})
  }
}

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

const alone = await figures()
const readers = Array.from({ length: READERS }, () => new Reader())
while ((await figures()).open < READERS) await wait(50)
const begun = await figures()
const slow = readers.filter((_, index) => index % SLOW === 0)
// Slow readers pause before the first change, so that their sockets have not yet grown their receive buffers.
for (const { socket } of slow) socket.pause()
const done = once(child, 'message')
child.send({ perSecond: CHANGES_PER_SECOND, forMs: SECONDS * 1_000 })
await wait(STALLED_MS)
for (const { socket } of slow) socket.resume()
await done
const busy = await figures()
await wait(2_000)
const after = await figures()

const seconds = SECONDS
const quick = readers.filter((_, index) => index % SLOW !== 0)
const sum = (of: readonly Reader[], what: (reader: Reader) => number) => of.reduce((all, one) => all + what(one), 0)
const cpu = (busy.cpu.user + busy.cpu.system - begun.cpu.user - begun.cpu.system) / 1e6
console.log(`${READERS} readers of one feed, ${(busy.changed / seconds).toFixed(0)} changes a second for ${seconds} s`)
console.log(
  `written       ${(sum(readers, ({ bytes }) => bytes) / MB / seconds).toFixed(0)} MB/s, ${(cpu / seconds).toFixed(2)} cores`,
)
console.log(
  `gaps          ${slow.filter(({ gaps }) => gaps > 0).length} of ${slow.length} who read nothing for ${STALLED_MS / 1_000} s, ` +
    `${quick.filter(({ gaps }) => gaps > 0).length} of ${quick.length} others`,
)
console.log(
  `held          ${(alone.held / MB).toFixed(0)} MB alone, ${(begun.held / MB).toFixed(0)} with its readers, ` +
    `${(busy.held / MB).toFixed(0)} under load, ${(after.held / MB).toFixed(0)} after; resident ${(busy.rss / MB).toFixed(0)} MB`,
)
console.log(`streams       ${after.open} of ${READERS} still open`)
for (const { socket } of readers) socket.destroy()
child.kill()
