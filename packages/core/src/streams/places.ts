import { ServiceError } from '../errors/service-error'
import type { StreamLimits } from './stream-limits'

/**
 * Properties of the caller that takes a place, by which the number of its places is bounded. A place is the right to have one stream or
 * waiting call on this node.
 */
export interface PlaceHolder {
  readonly projectId: string
  /** API key of the caller; undefined for an embedding application and for a game server. */
  readonly keyId?: string | undefined
  /** Id of the member record without which the caller has no access; undefined when the access depends on no such record. */
  readonly memberId?: string | undefined
  /** Account that owns the key, when it is known. */
  readonly accountId?: string | undefined
  /**
   * Whether the project itself makes the call (with a server key, as an embedding application, or as a game server), and not a player's
   * client.
   */
  readonly isBackend: boolean
  /** Address of the caller; undefined when addresses do not distinguish callers. */
  readonly address?: string | undefined
  /** Bound for the place in addition to the bounds of the key, the address and the project. */
  readonly seats?: Seats | undefined
}

/** Bound for the places of one player in one lobby, of one game server, or of all callers in one lobby that are not members. */
export interface Seats {
  readonly name: string
  readonly most: number
  /** Effect when a new place would exceed `most`: the oldest place of the group ends, or the new caller is refused. */
  readonly past: 'oldest ends' | 'refused'
}

/** Number of streams and waiting calls of a project on this node. */
export interface StreamsOfProject {
  readonly projectId: string
  /** Side that holds the streams: the players' clients, or the project's backend and its game servers. */
  readonly side: 'clients' | 'backend'
  readonly open: number
}

/**
 * Factor for the bound of an account: the account may hold at most this many times the free places of the node. With factor 3, an account
 * can hold at most three quarters of the node. One project can hold half of the node, so a second project of the same account still finds
 * places. Clients and backends are counted separately.
 */
const ACCOUNT_PART = 3

/** Stream or waiting call that takes a place. */
export interface Placed {
  close(): void
  onEnd(cleanup: () => void): void
}

type Limits = Pick<StreamLimits, 'open' | 'openPerKey'>

/**
 * One place of a node: the right to have one stream or waiting call. A place is taken before anything is read for its stream, and it is
 * released when the stream has ended.
 */
export class StreamPlace {
  private stream: Placed | undefined
  private isOver = false
  private isGiven = true

  constructor(
    readonly holder: PlaceHolder,
    private readonly letGo: (place: StreamPlace) => void,
    private readonly opened: (place: StreamPlace) => void,
  ) {}

  get isOpening(): boolean {
    return this.stream === undefined
  }

  /** Connects the place with its stream. The place is released when the stream ends. */
  fill(stream: Placed): void {
    this.stream = stream
    stream.onEnd(() => this.release())
    if (this.isOver) stream.close()
    else this.opened(this)
  }

  /** Ends the stream of the place, even while the stream is still being opened. */
  end(): void {
    this.isOver = true
    this.stream?.close()
  }

  /** Releases a place; a repeated call changes nothing. */
  release(): void {
    if (!this.isGiven) return
    this.isGiven = false
    this.letGo(this)
  }
}

/**
 * Places of a node for all its streams and waiting calls. The clients of a project together may hold at most as many places as are free.
 * They thus hold at most half of the node, or a third for each project when two projects fill the node. The same bound holds for a
 * project's backend and, within the places of a key, for the callers of one address. All projects of one account together hold less than
 * `ACCOUNT_PART` times the free places. With these bounds a new caller finds a place as long as one is free, and only callers that already
 * hold many places are refused earlier.
 */
export class Places {
  private readonly all = new Set<StreamPlace>()
  private readonly byKey = new Groups()
  private readonly byMember = new Groups()
  private readonly byProject = new Groups()
  private readonly byAccount = new Groups()
  private readonly byAddress = new Groups()
  private readonly bySeats = new Groups()

  constructor(private readonly limits: Limits) {}

  get taken(): number {
    return this.all.size
  }

  /** Returns the number of streams and waiting calls of each project that has some, for its clients and for its backend. */
  byProjectNow(): StreamsOfProject[] {
    return this.byProject.names.map((name) => {
      const [projectId = '', side] = name.split(' ')
      return { projectId, side: side === 'backend' ? 'backend' : 'clients', open: this.byProject.of(name).size }
    })
  }

  /** API keys of streams that are open or being opened. */
  get keyIds(): readonly string[] {
    return this.byKey.names
  }

  /** Ids of member records on which streams depend that are open or being opened. */
  get memberIds(): readonly string[] {
    return this.byMember.names
  }

  /** Takes a place. Throws UNAVAILABLE when the bounds leave no place for this caller. */
  take(holder: PlaceHolder): StreamPlace {
    this.requireRoom(holder)
    const place = new StreamPlace(
      holder,
      (left) => this.remove(left),
      (filled) => this.endOldestBeside(filled),
    )
    this.all.add(place)
    for (const [groups, name] of this.groupsOf(holder)) groups.add(name, place)
    return place
  }

  /** Ends all streams of an API key. */
  endOf(keyId: string): void {
    for (const place of [...this.byKey.of(keyId)]) place.end()
  }

  /** Ends all streams that depend on a member record. */
  endOfMember(memberId: string): void {
    for (const place of [...this.byMember.of(memberId)]) place.end()
  }

  private requireRoom(holder: PlaceHolder): void {
    const { open, openPerKey } = this.limits
    const free = open - this.all.size
    if (free <= 0) throw full('this node has reached its limit of event streams and waiting requests')
    if (this.byProject.of(shareOf(holder)).size >= free) {
      throw full('this project has used its share of the event streams and waiting requests of this node')
    }
    if (holder.accountId !== undefined && this.byAccount.of(accountShareOf(holder)).size >= ACCOUNT_PART * free) {
      throw full(
        'the projects of this account have used their share of the event streams and waiting requests of this node',
      )
    }
    this.requireRoomOfKey(holder, openPerKey)
    this.requireSeat(holder)
  }

  private requireRoomOfKey({ keyId, address }: PlaceHolder, openPerKey: number): void {
    if (keyId === undefined) return
    const free = openPerKey - this.byKey.of(keyId).size
    if (free <= 0) throw full('this key has reached its limit of event streams and waiting requests on this node')
    if (address !== undefined && this.byAddress.of(`${keyId} ${address}`).size >= free) {
      throw full("this IP address has used its share of this key's event streams and waiting requests")
    }
  }

  private requireSeat({ seats }: PlaceHolder): void {
    if (seats === undefined) return
    const held = this.bySeats.of(seats.name)
    if (held.size < seats.most) return
    if (seats.past === 'refused') {
      throw full(`already ${seats.most} callers who are not in this lobby wait for its changes`)
    }
    let opening = 0
    for (const place of held) if (place.isOpening) opening++
    if (opening >= seats.most)
      throw full(`${seats.most} event streams or waiting requests of this kind are already being opened`)
  }

  /**
   * Ends the oldest stream of the same group, once the new stream is open. A call that fails to open a stream therefore ends no other
   * stream.
   */
  private endOldestBeside({ holder: { seats } }: StreamPlace): void {
    if (seats === undefined) return
    const open = [...this.bySeats.of(seats.name)].filter(({ isOpening }) => !isOpening)
    if (open.length > seats.most) open[0]?.end()
  }

  private remove(place: StreamPlace): void {
    this.all.delete(place)
    for (const [groups, name] of this.groupsOf(place.holder)) groups.remove(name, place)
  }

  private *groupsOf(holder: PlaceHolder): Generator<[Groups, string]> {
    const { keyId, memberId, accountId, address, seats } = holder
    yield [this.byProject, shareOf(holder)]
    if (accountId !== undefined) yield [this.byAccount, accountShareOf(holder)]
    if (keyId !== undefined) yield [this.byKey, keyId]
    if (memberId !== undefined) yield [this.byMember, memberId]
    if (keyId !== undefined && address !== undefined) yield [this.byAddress, `${keyId} ${address}`]
    if (seats !== undefined) yield [this.bySeats, seats.name]
  }
}

/** Places by the name of their group, such as a key or a project. Groups without places are removed. */
class Groups {
  private static readonly NONE: ReadonlySet<StreamPlace> = new Set()
  private readonly groups = new Map<string, Set<StreamPlace>>()

  get names(): readonly string[] {
    return [...this.groups.keys()]
  }

  of(name: string): ReadonlySet<StreamPlace> {
    return this.groups.get(name) ?? Groups.NONE
  }

  add(name: string, place: StreamPlace): void {
    const group = this.groups.get(name)
    if (group === undefined) this.groups.set(name, new Set([place]))
    else group.add(place)
  }

  remove(name: string, place: StreamPlace): void {
    const group = this.groups.get(name)
    group?.delete(place)
    if (group?.size === 0) this.groups.delete(name)
  }
}

/**
 * Returns the group of a caller. Clients and backends of a project are counted separately, so that clients never take the places that the
 * backend and the game servers need.
 */
const shareOf = ({ projectId, isBackend }: PlaceHolder) => `${projectId} ${isBackend ? 'backend' : 'clients'}`
const accountShareOf = ({ accountId, isBackend }: PlaceHolder) => `${accountId} ${isBackend ? 'backend' : 'clients'}`

const full = (detail: string): ServiceError => new ServiceError('UNAVAILABLE', `${detail}; try again shortly`, {})
