import type { LobbySnapshot, MatchSnapshot } from '@matchyard/client'
import type { Build, Queue, Server } from '@matchyard/client/admin'
import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals'
import { Collection, type CollectionOptions } from './collection'
import { Feed, type FeedState, type Kind } from './feed'
import type { Query, Wire } from './wire'

/** State of the last read of a kind. */
export type Reading =
  | { readonly is: 'reading' }
  | { readonly is: 'ready' }
  | { readonly is: 'failed'; readonly error: unknown }

/** Types of the entities by kind. */
export interface Things {
  readonly lobby: LobbySnapshot
  readonly match: MatchSnapshot
  readonly server: Server
  readonly build: Build
  readonly queue: Queue
}

interface Shelf<K extends Kind = Kind> {
  readonly things: Collection<Things[K]>
  readonly reading: Signal<Reading>
  readonly path: string
  readonly query: Query
  readonly atMost: number
  /** Number of the latest read of the kind. The results of earlier reads are ignored. */
  turn: number
}

/** The entities of one kind for a view, kept up to date while the view uses them. */
export interface Live<T> {
  readonly things: Collection<T>
  readonly reading: ReadonlySignal<Reading>
  /** Reads all entities of the kind again, for example after a failed read. */
  again(): void
}

function shelf<K extends Kind>(
  path: string,
  query: Query,
  atMost: number,
  options: Pick<CollectionOptions<Things[K]>, 'idOf' | 'versionOf'>,
): Shelf<K> {
  const things = new Collection<Things[K]>({ ...options, order: newestFirst, atMost })
  return { things, reading: signal<Reading>({ is: 'reading' }), path, query, atMost, turn: 0 }
}

const newestFirst = <T extends { readonly created_at: string }>(a: T, b: T) =>
  a.created_at < b.created_at ? 1 : a.created_at > b.created_at ? -1 : 0

/**
 * Copy of the project's entities, for the kinds (types of resources) that views use. The entities of a kind are read
 * once and then updated by the feed. After a gap in the feed they are read again.
 */
export class Store {
  private readonly feed: Feed
  private readonly shelves: { readonly [K in Kind]: Shelf<K> } = {
    lobby: shelf('/v1/lobbies', { scope: 'project', limit: 1_000 }, 20_000, {
      idOf: (lobby) => lobby.lobby_id,
      versionOf: (lobby) => lobby.version,
    }),
    match: shelf('/v1/matches', {}, 2_000, { idOf: (match) => match.match_id, versionOf: (match) => match.version }),
    server: shelf('/v1/servers', {}, 2_000, { idOf: (server) => server.instance_id }),
    build: shelf('/v1/builds', {}, 1_000, { idOf: (build) => build.build_id }),
    queue: shelf('/v1/queues', {}, 1_000, { idOf: (queue) => queue.queue_id }),
  }

  constructor(
    private readonly wire: Wire,
    refused: (error: unknown) => void,
  ) {
    this.feed = new Feed(wire, {
      updated: (kind, thing) => this.shelf(kind).things.put(thing as Things[Kind]),
      deleted: (kind, id) => this.shelf(kind).things.remove(id),
      begin: (kinds) => {
        for (const kind of kinds) void this.read(kind)
      },
      failed: (kinds, error) => {
        for (const kind of kinds) this.shelf(kind).reading.value = { is: 'failed', error }
      },
      refused,
    })
  }

  /** State of the feed. */
  get connection(): ReadonlySignal<FeedState> {
    return this.feed.state
  }

  /** Time at which the feed last received bytes, in milliseconds since 1970. */
  get heardAt(): ReadonlySignal<number | undefined> {
    return this.feed.heardAt
  }

  /** Keeps a kind up to date until the returned function is called. */
  want(kind: Kind): () => void {
    return this.feed.want(kind)
  }

  live<K extends Kind>(kind: K): Live<Things[K]> {
    const { things, reading } = this.shelves[kind] as unknown as Shelf<K>
    return { things, reading, again: () => void this.read(kind) }
  }

  /** Returns the number of entities of a kind that fulfil a condition. */
  count<K extends Kind>(kind: K, holds: (thing: Things[K]) => boolean): ReadonlySignal<number> {
    const { things } = this.live(kind)
    return computed(() => {
      void things.revision.value
      return things.all().filter(holds).length
    })
  }

  close(): void {
    this.feed.close()
  }

  private shelf(kind: Kind): Shelf {
    return this.shelves[kind] as unknown as Shelf
  }

  private async read(kind: Kind): Promise<void> {
    const shelf = this.shelf(kind)
    const turn = ++shelf.turn
    const { things, reading, path, query, atMost } = shelf
    if (reading.value.is === 'failed') reading.value = { is: 'reading' }
    things.startReading()
    try {
      for await (const page of this.wire.pages<Things[Kind]>(path, query, atMost)) {
        if (shelf.turn !== turn) return
        for (const thing of page) things.putRead(thing)
        // The state is set here so that the view shows the rows of the first page at once.
        if (page.length > 0) reading.value = { is: 'ready' }
      }
      things.endReading()
      reading.value = { is: 'ready' }
    } catch (error) {
      if (shelf.turn === turn) reading.value = { is: 'failed', error }
    }
  }
}
