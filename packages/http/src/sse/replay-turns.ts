/** Readings of logs under way at once. Each is followed by a turn of the event loop, so other calls wait for these few at most. */
const AT_ONCE = 4

/** Yields the event loop to waiting calls and sockets. */
const nextTurn = () =>
  new Promise<void>((resolve) => {
    if (typeof setImmediate === 'function') setImmediate(resolve)
    else setTimeout(resolve, 0)
  })

/** A caller that waits for a turn: one of a project's readers. */
export interface TurnOf {
  readonly projectId: string
  /** The player or the game server; undefined for a backend. */
  readonly readerId: string | undefined
}

type Waiting = () => void

/**
 * Readers that lag read the log in turns, a few pages at once, one project after the other, within a project one player after the other, and
 * within a player in order of asking: two hundred of one player are one in the queue to everybody else of the game, and two hundred of
 * one project are one to everybody else.
 */
export class ReplayTurns {
  private running = 0
  /** By project, and within it by reader, those who wait; the first is the next. */
  private readonly waiting = new Map<string, Map<string | undefined, Waiting[]>>()

  constructor(
    private readonly atOnce = AT_ONCE,
    private readonly turn: () => Promise<void> = nextTurn,
  ) {}

  /** Resolves when one more may begin what takes the event loop for milliseconds, as opening a stream of a large lobby does. */
  begin(of: TurnOf): Promise<void> {
    return this.run(of, async () => {})
  }

  async run(of: TurnOf, read: () => Promise<void>): Promise<void> {
    if (this.running < this.atOnce) this.running++
    else await this.wait(of)
    try {
      await read()
    } finally {
      // The turn is not awaited: the read data is written meanwhile.
      void this.turn().then(() => this.pass())
    }
  }

  private wait({ projectId, readerId }: TurnOf): Promise<void> {
    return new Promise((resolve) => {
      const ofProject = this.waiting.get(projectId) ?? new Map<string | undefined, Waiting[]>()
      this.waiting.set(projectId, ofProject)
      const ofReader = ofProject.get(readerId)
      if (ofReader === undefined) ofProject.set(readerId, [resolve])
      else ofReader.push(resolve)
    })
  }

  private pass(): void {
    const ofProject = takeFirst(this.waiting)
    const ofReader = ofProject && takeFirst(ofProject.value)
    if (ofProject === undefined || ofReader === undefined) {
      this.running--
      return
    }
    const next = ofReader.value.shift()
    // A reader that had its turn goes behind the others.
    if (ofReader.value.length > 0) ofProject.value.set(ofReader.name, ofReader.value)
    if (ofProject.value.size > 0) this.waiting.set(ofProject.name, ofProject.value)
    next?.()
  }
}

function takeFirst<Name, Value>(line: Map<Name, Value>): { readonly name: Name; readonly value: Value } | undefined {
  const [first] = line
  if (first === undefined) return undefined
  const [name, value] = first
  line.delete(name)
  return { name, value }
}
