import { ServiceError } from '@matchyard/core'
import type { HashLine, HashTurn } from '@matchyard/core/ports'

/** Most hashes that wait in one line. To work through them takes some seconds. */
export const MAX_WAITING_IN_LINE = 128
/** Most hashes from one client address that wait in one line. */
export const MAX_WAITING_FROM = 32

interface Waiting {
  begin(): void
  refuse(error: ServiceError): void
}

/**
 * The waiting hashes of one line (a kind of calls, such as logins), grouped by the client's address. The address whose
 * hash is taken next comes first.
 */
class Line {
  private size = 0
  private readonly byAddress = new Map<string, Waiting[]>()

  /**
   * Adds a waiting hash. Throws `UNAVAILABLE` when 32 hashes from the address `from` already wait. When the line is
   * full, the method looks for the address with the most waiting hashes. If that address has more hashes than `from`
   * would have with the new hash, its newest hash is refused; otherwise the method throws `UNAVAILABLE`.
   */
  add(from: string | undefined, waiting: Waiting): void {
    const own = this.byAddress.get(from ?? '') ?? []
    if (from !== undefined && own.length >= MAX_WAITING_FROM) throw tooMany()
    if (this.size >= MAX_WAITING_IN_LINE) this.makeRoom(own.length)
    this.byAddress.set(from ?? '', own)
    own.push(waiting)
    this.size++
  }

  /** Removes and returns the next waiting hash. The client addresses alternate. */
  take(): Waiting | undefined {
    const [first] = this.byAddress
    if (first === undefined) return undefined
    const [from, waiting] = first
    const next = waiting.shift()
    this.size--
    this.byAddress.delete(from)
    if (waiting.length > 0) this.byAddress.set(from, waiting)
    return next
  }

  private makeRoom(own: number): void {
    let most: Waiting[] = []
    for (const waiting of this.byAddress.values()) if (waiting.length > most.length) most = waiting
    if (most.length <= own + 1) throw tooMany()
    most.pop()?.refuse(tooMany())
    this.size--
  }
}

const NAMES: readonly HashLine[] = ['operator', 'returning', 'sign-in', 'registration']

const tooMany = () =>
  new ServiceError('UNAVAILABLE', 'too many passwords are being looked at right now; try again shortly')

/**
 * Runs a fixed number of password hashes at a time; further hashes wait in several lines, one for each kind of calls.
 * The next hash comes from each line in turn, and within a line from each client address in turn. So neither many
 * registrations nor one address delay other hashes by more than one or two hashes.
 */
export class HashLines {
  private busy = 0
  private readonly lines: readonly (readonly [HashLine, Line])[]
  /** Index of the line from which a hash was started last. */
  private last = NAMES.length - 1

  constructor(private readonly hands: number) {
    this.lines = NAMES.map((name) => [name, new Line()])
  }

  /**
   * Runs `work` when fewer than `hands` hashes run. Rejects with `UNAVAILABLE` when the line is full, or when the
   * address has too many hashes in the line.
   */
  async run<T>(work: () => Promise<T>, { line = 'operator', from }: HashTurn = {}): Promise<T> {
    if (this.busy < this.hands) this.busy++
    else await this.wait(line, from)
    try {
      return await work()
    } finally {
      // The end of one hash starts the next hash.
      const next = this.next()
      if (next === undefined) this.busy--
      else next.begin()
    }
  }

  private wait(name: HashLine, from: string | undefined): Promise<void> {
    return new Promise((begin, refuse) => {
      const [, line] = this.lines.find(([known]) => known === name) ?? []
      line?.add(from, { begin, refuse })
    })
  }

  private next(): Waiting | undefined {
    for (let i = 1; i <= this.lines.length; i++) {
      const at = (this.last + i) % this.lines.length
      const waiting = this.lines[at]?.[1].take()
      if (waiting === undefined) continue
      this.last = at
      return waiting
    }
    return undefined
  }
}
