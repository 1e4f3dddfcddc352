/**
 * Maximum number of log readings at once. A turn of the event loop follows each, so other calls wait for these few at
 * most.
 */
const AT_ONCE = 4

/** Resolves after a turn of the event loop, in which waiting calls and sockets run. */
const nextTurn = () =>
  new Promise<void>((resolve) => {
    if (typeof setImmediate === 'function') setImmediate(resolve)
    else setTimeout(resolve, 0)
  })

/** The project and the reader that wait for a turn. */
export interface TurnOf {
  readonly projectId: string
  /** Id of the player or the game server; undefined for a backend. */
  readonly readerId: string | undefined
}

type Waiting = () => void

/**
 * Turns in which readers that lag read the log, a few at once. Projects take turns, and in a project its players, and
 * in a player its requests in order of arrival. So two hundred readers of one player delay the game's other players no
 * more than one reader does. Two hundred readers of one project delay other projects no more than one does.
 */
export class ReplayTurns {
  private running = 0
  /** Waiting requests by project, and in a project by reader; the first is the next. */
  private readonly waiting = new Map<string, Map<string | undefined, Waiting[]>>()

  constructor(
    private readonly atOnce = AT_ONCE,
    private readonly turn: () => Promise<void> = nextTurn,
  ) {}

  /**
   * Resolves when the reader may begin work that takes the event loop for milliseconds, such as opening a stream of a
   * large lobby.
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
    // Readers and projects that had their turns move behind the others.
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
