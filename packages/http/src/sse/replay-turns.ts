/**
 * Maximum number of reads of the log of events at the same time. A turn of the event loop follows each read, so other
 * calls wait for at most this many reads.
 */
const AT_ONCE = 4

/** Resolves after a turn of the event loop, in which waiting calls and sockets run. */
const nextTurn = () =>
  new Promise<void>((resolve) => {
    if (typeof setImmediate === 'function') setImmediate(resolve)
    else setTimeout(resolve, 0)
  })

/** The project and the reader for which a read of the log waits. */
export interface TurnOf {
  readonly projectId: string
  /** Id of the player or the game server; undefined for a backend. */
  readonly readerId: string | undefined
}

type Waiting = () => void

/**
 * Queue in which readers that have missed events wait to read the log of events. A few reads run at the same time.
 * Projects take turns, and within a project the players take turns. The requests of one player are served in order of
 * arrival. Therefore two hundred readers of one player delay the game's other players no more than one reader does. Two
 * hundred readers of one project delay other projects no more than one does.
 */
export class ReplayTurns {
  private running = 0
  /** Waiting requests by project, and within a project by reader; the first is the next. */
  private readonly waiting = new Map<string, Map<string | undefined, Waiting[]>>()

  constructor(
    private readonly atOnce = AT_ONCE,
    private readonly turn: () => Promise<void> = nextTurn,
  ) {}

  /**
   * Resolves when the reader may begin work that occupies the event loop for milliseconds, such as opening a stream of
   * a large lobby.
   */
  begin(of: TurnOf): Promise<void> {
    return this.run(of, async () => {})
  }

  async run(of: TurnOf, read: () => Promise<void>): Promise<void> {
    if (this.running < this.atOnce) this.running++
    else await this.wait(of)
    try {
      await read()
    } finally {
      // The turn of the event loop is not awaited, so that the data that was read is written meanwhile.
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
    // The reader and the project that had their turn move to the end of the queue.
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
