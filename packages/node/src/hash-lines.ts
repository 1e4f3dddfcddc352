import { ServiceError } from '@matchyard/core'
import type { HashLine, HashTurn } from '@matchyard/core/ports'

/** Hashes that wait in one line: some seconds' worth of them. */
export const MAX_WAITING_IN_LINE = 128
/** Hashes from one address that wait in one line. */
export const MAX_WAITING_FROM = 32

interface Waiting {
  begin(): void
  refuse(error: ServiceError): void
}

/** The hashes of one line that wait, by the address they came from, the address whose turn is next first. */
class Line {
  private size = 0
  private readonly byAddress = new Map<string, Waiting[]>()

  /** Takes a place. Where the line is full, the newest of the address with the most gives way to an address that has less. */
  add(from: string | undefined, waiting: Waiting): void {
    const own = this.byAddress.get(from ?? '') ?? []
    if (from !== undefined && own.length >= MAX_WAITING_FROM) throw tooMany()
    if (this.size >= MAX_WAITING_IN_LINE) this.makeRoom(own.length)
    this.byAddress.set(from ?? '', own)
    own.push(waiting)
    this.size++
  }

  /** The next one; each address in turn. */
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
 * A fixed number of hands, and several waiting lines. The lines take turns, and in a line the addresses, so that neither many registrations nor
 * one address make others wait for more than a hash or two.
 */
export class HashLines {
  private busy = 0
  private readonly lines: readonly (readonly [HashLine, Line])[]
  /** Index of the line that was served last. */
  private last = NAMES.length - 1

  constructor(private readonly hands: number) {
    this.lines = NAMES.map((name) => [name, new Line()])
  }

  /** Does the work once a hand is free. Rejects with `UNAVAILABLE` when its line, or its address' part of it, is full. */
  async run<T>(work: () => Promise<T>, { line = 'operator', from }: HashTurn = {}): Promise<T> {
    if (this.busy < this.hands) this.busy++
    else await this.wait(line, from)
    try {
      return await work()
    } finally {
      // A finished hash starts the next one.
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
