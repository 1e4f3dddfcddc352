import { type FeedChange, type FeedView, type Matchyard, ServiceError } from '@matchyard/core'
import { textOf } from './invariants/invariant'

type Kind = FeedChange['kind']

interface Known {
  readonly version: number
  /** The entity as the `get` call of its kind returns it. */
  readonly data: object
}

const PAGE = 100

/**
 * A dashboard that reads a project's feed. It changes between nodes, resumes after a broken connection, and reads
 * everything again after a gap. At the end, its state must equal the data that `get` and the lists return.
 */
export class Follower {
  /** Node from which the dashboard reads now; undefined between two connections. */
  nodeId: string | undefined
  /** The entities that the dashboard has read, by kind and id. */
  readonly known = new Map<string, Known>()
  /** Cursor to resume from; undefined while the dashboard must read everything again. */
  private cursor: string | undefined
  private connection = 0

  constructor(private readonly projectId: string) {}

  /** Reads the feed until the connection breaks, or until a later call of `read` replaces this call. */
  async read(matchyard: Matchyard): Promise<void> {
    const own = ++this.connection
    const feed: FeedView = await matchyard.feed(this.projectId, { cursor: this.cursor })
    for await (const message of feed) {
      if (own !== this.connection) return
      if (message.event === 'change') this.take(message)
      else if (message.event === 'gap' || this.cursor === undefined) {
        this.cursor = undefined
        const all = await this.readAgain(matchyard)
        if (own !== this.connection) return
        this.known.clear()
        for (const [name, known] of all) this.known.set(name, known)
      }
      this.cursor = feed.cursor
    }
  }

  /**
   * Returns the differences between the dashboard's state and the data that the service returns. Call it when all
   * changes have been sent.
   */
  async differences(matchyard: Matchyard): Promise<string[]> {
    const shown = await this.readAgain(matchyard)
    const names = new Set([...shown.keys(), ...this.known.keys()])
    const wrong: string[] = []
    for (const name of names) {
      const [is, told] = [shown.get(name), this.known.get(name)]
      if (is === undefined || told === undefined) wrong.push(`${name} is ${is ? 'not known' : 'known, and gone'}`)
      else if (textOf(is.data) !== textOf(told.data))
        wrong.push(`${name} is ${textOf(is.data)}, known as ${textOf(told.data)}`)
    }
    return wrong
  }

  private take(change: FeedChange): void {
    const name = nameOf(change.kind, change.id)
    // The dashboard may have read the entity in a newer version than the change that arrives now.
    if (change.version < (this.known.get(name)?.version ?? 0)) return
    if (change.data === null) this.known.delete(name)
    else this.known.set(name, { version: change.version, data: change.data })
  }

  private async readAgain(matchyard: Matchyard): Promise<Map<string, Known>> {
    const { projectId } = this
    const all = new Map<string, Known>()
    const add = (kind: Kind, id: string, version: number, data: object) => all.set(nameOf(kind, id), { version, data })
    const lobbies = await pages((page) =>
      matchyard.lobbies.browse({ projectId, backend: true, includePrivate: true, ...page }),
    )
    for (const one of lobbies) add('lobby', one.id, one.version, one)
    for (const one of await pages((page) => matchyard.servers.list({ projectId, ...page })))
      add('server', one.id, one.version, one)
    for (const one of await pages((page) => matchyard.queues.list({ projectId, ...page })))
      add('queue', one.queueId, one.version, one)
    for (const one of await pages((page) => matchyard.builds.list({ projectId, ...page })))
      add('build', one.id, one.version, one)
    // The API has no list of matches. So the function reads the matches that the dashboard knows and the matches of all
    // servers.
    const servers = [...all.values()].map(({ data }) => data as { readonly matchId?: string | null })
    const named = [...this.known.keys()]
      .filter((name) => name.startsWith('match '))
      .map((name) => name.slice('match '.length))
    for (const matchId of new Set([...named, ...servers.flatMap((one) => one.matchId ?? [])])) {
      const found = await orGone(matchyard.matches.get({ projectId, matchId }))
      if (found !== undefined) add('match', matchId, found.match.version, found)
    }
    return all
  }
}

const nameOf = (kind: Kind, id: string) => `${kind} ${id}`

async function pages<T>(
  read: (page: { limit: number; offset: number }) => Promise<{ total: number; data: readonly T[] }>,
): Promise<T[]> {
  const all: T[] = []
  for (;;) {
    const { total, data } = await read({ limit: PAGE, offset: all.length })
    all.push(...data)
    if (all.length >= total || data.length === 0) return all
  }
}

async function orGone<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading
  } catch (error) {
    if (error instanceof ServiceError && error.kind === 'absent') return undefined
    throw error
  }
}
