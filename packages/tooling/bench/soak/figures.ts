import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { HarmWorld } from '../harm/world'

const PROBE = fileURLToPath(new URL('./probe.mjs', import.meta.url))
const ANSWER_WITHIN_MS = 30_000
/** Readings of one sample. The smallest value counts, because work in progress comes and goes. */
const LOOKS = 3
const BETWEEN_LOOKS_MS = 2_000
const MB = 1024 * 1024

/** The memory and the resources that the service holds at one moment, after a garbage collection. */
export interface Sample {
  readonly heapMb: number
  /** Heap memory taken from the machine, in MB. V8 gives it back late, because the next burst would need it again. */
  readonly heapTakenMb: number
  /** Buffers and other memory outside the heap, in MB, as V8 counts them; without the memory of SQLite. */
  readonly externalMb: number
  readonly rssMb: number
  /**
   * Part of the resident memory that is not file pages (mainly Node.js' own code), which the kernel may drop at any
   * time.
   */
  readonly ownMb: number
  /**
   * Part of `ownMb` that C and C++ code allocated or keep for later: SQLite's cache, buffers, and the gaps between
   * them.
   */
  readonly mallocMb: number
  /** Open file descriptors. */
  readonly handles: number
  /** Resources that keep the event loop awake, by kind. */
  readonly resources: Readonly<Record<string, number>>
  /** Event listeners of the process. */
  readonly listeners: number
  /** Warnings about too many listeners on one emitter. */
  readonly warnings: number
}

interface Probed {
  readonly look: number
  readonly heapUsed: number
  readonly heapTotal: number
  readonly external: number
  readonly rss: number
  readonly resources: Readonly<Record<string, number>>
  readonly listeners: number
  readonly warnings: number
}

/** Takes samples of a service that was started with `environment`. */
export class Probe {
  private look = 0

  constructor(private readonly file: string) {}

  get environment(): Record<string, string> {
    return { NODE_OPTIONS: `--import=${PROBE}`, SOAK_PROBE: this.file }
  }

  /** Returns the smallest values of several readings. */
  async sample(world: HarmWorld): Promise<Sample> {
    const looks: Sample[] = []
    for (let look = 0; look < LOOKS; look++) {
      if (look > 0) await wait(BETWEEN_LOOKS_MS)
      looks.push(await this.once(world))
    }
    const least = (figure: (sample: Sample) => number) => Math.min(...looks.map(figure))
    const leanest = looks.reduce((a, b) => (b.handles < a.handles ? b : a))
    return {
      ...leanest,
      heapMb: least(({ heapMb }) => heapMb),
      externalMb: least(({ externalMb }) => externalMb),
      heapTakenMb: least(({ heapTakenMb }) => heapTakenMb),
      rssMb: least(({ rssMb }) => rssMb),
      ownMb: least(({ ownMb }) => ownMb),
      mallocMb: least(({ mallocMb }) => mallocMb),
      listeners: least(({ listeners }) => listeners),
    }
  }

  private async once({ process: { pid } }: HarmWorld): Promise<Sample> {
    if (pid === undefined) throw new Error('the service does not run')
    this.look++
    process.kill(pid, 'SIGUSR2')
    const giveUpAt = performance.now() + ANSWER_WITHIN_MS
    for (;;) {
      const probed = this.read()
      if (probed?.look === this.look) {
        const { heapUsed, heapTotal, external, rss, resources, listeners, warnings } = probed
        const handles = readdirSync(`/proc/${pid}/fd`).length
        return {
          heapMb: heapUsed / MB,
          heapTakenMb: heapTotal / MB,
          externalMb: external / MB,
          rssMb: rss / MB,
          ownMb: anonymousBytes(pid) / MB,
          mallocMb: mallocBytes(pid) / MB,
          handles,
          resources,
          listeners,
          warnings,
        }
      }
      if (performance.now() > giveUpAt) throw new Error('the service does not answer a signal')
      await wait(20)
    }
  }

  private read(): Probed | undefined {
    if (!existsSync(this.file)) return undefined
    try {
      return JSON.parse(readFileSync(this.file, 'utf8')) as Probed
    } catch {
      return undefined // the probe is just writing the file
    }
  }
}

function anonymousBytes(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/^RssAnon:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024
}

/** Addresses of glibc's arenas are multiples of this; the first arena is named `[heap]`. */
const ARENA_BYTES = 64n * 1024n * 1024n

/** Returns the resident bytes of glibc's arenas, from the kernel's memory map of the process. */
function mallocBytes(pid: number): number {
  let kilobytes = 0
  let counts = false
  for (const line of readFileSync(`/proc/${pid}/smaps`, 'utf8').split('\n')) {
    const mapping = /^([0-9a-f]+)-[0-9a-f]+ (\S+) \S+ \S+ (\d+)\s*(.*)$/.exec(line)
    if (mapping !== null) {
      const [, from = '0', rights, inode, name] = mapping
      const arena = inode === '0' && name === '' && rights === 'rw-p' && BigInt(`0x${from}`) % ARENA_BYTES === 0n
      counts = name === '[heap]' || arena
    } else if (counts) {
      kilobytes += Number(/^Rss:\s+(\d+) kB/.exec(line)?.[1] ?? 0)
    }
  }
  return kilobytes * 1024
}

/** Returns the megabytes of the database and its log. */
export function databaseMb(directory: string): number {
  const files = readdirSync(directory).filter((name) => /\.(db|sqlite)/.test(name))
  return files.reduce((sum, name) => sum + statSync(join(directory, name)).size, 0) / MB
}

/** Returns the CPU seconds that the service has used. */
export function processorSeconds({ process: { pid } }: HarmWorld): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  // User and system time, in the kernel's fixed 100 ticks per second.
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) / 100
}
