import {
  closeSync,
  existsSync,
  fdatasyncSync,
  openSync,
  readFileSync,
  renameSync,
  truncateSync,
  writeSync,
} from 'node:fs'
import {
  type AnyEntity,
  assertWellFormed,
  type BuildQuery,
  type ClaimedJob,
  type Commit,
  type CommitConflict,
  type CommitResult,
  type Entities,
  type EntityKind,
  HOUR_MS,
  type Instant,
  type JobSpec,
  LIVE_SERVER_STATUSES,
  type Lobby,
  type LobbyQuery,
  OutcomeUnknown,
  type Page,
  type PageRequest,
  queueKey,
  type ServerQuery,
  type SignalListener,
  STREAM_RETENTION,
  type Storage,
  StorageUnavailable,
  type StreamEvent,
  signalsOf,
  type TicketChanges,
  uniqueKeysOf,
  utf8Length,
} from '@matchyard/core'

/** A row that changed, or one that is gone, or a whole table that is gone. */
type Change = [table: string, key: string, row: unknown] | [table: string, key: string] | [table: string]

/** The first line: another format than this one is refused, not guessed at. */
const HEADER = { journal: 1 }

/** Tables in memory, and a file with one line per call that changed any: what the file says is what a restart finds. */
class Journal {
  readonly #tables = new Map<string, Map<string, unknown>>()
  #file: number | undefined
  #closed = false
  #lines = 0

  constructor(readonly path: string) {}

  open(): void {
    if (this.#closed) throw new StorageUnavailable(`${this.path} is closed`)
    if (this.#file !== undefined) return
    const bytes = existsSync(this.path) ? readFileSync(this.path) : Buffer.alloc(0)
    // A line that a crash cut off was never acknowledged, and the next one must not be written behind it.
    const whole = bytes.lastIndexOf('\n') + 1
    if (whole < bytes.length) truncateSync(this.path, whole)
    const [header, ...lines] = bytes.toString('utf8', 0, whole).split('\n').slice(0, -1)
    if (header !== undefined && JSON.parse(header).journal !== HEADER.journal) {
      throw new StorageUnavailable(`${this.path} is of a newer version: ${header}`)
    }
    for (const line of lines) this.#apply(line)
    this.#file = openSync(this.path, 'a', 0o600)
    if (header === undefined) this.#append(`${JSON.stringify(HEADER)}\n`)
  }

  rows<T>(table: string): ReadonlyMap<string, T> {
    if (this.#file === undefined) throw new StorageUnavailable(`${this.path} is not open`)
    return (this.#tables.get(table) ?? new Map()) as ReadonlyMap<string, T>
  }

  tables(prefix: string): string[] {
    return [...this.#tables.keys()].filter((name) => name.startsWith(prefix))
  }

  /** All of the changes or none of them; they are on disk before anybody can read them. */
  write(changes: readonly Change[]): void {
    if (changes.length === 0) return
    const line = JSON.stringify(changes)
    this.#append(`${line}\n`)
    this.#apply(line)
  }

  /** Writes the file anew once most of its lines say what later lines took back. */
  compact(): void {
    const rows = [...this.#tables].flatMap(([table, map]) => [...map].map(([key, row]): Change => [table, key, row]))
    if (this.#lines < 2 * rows.length + 1_000) return
    const draft = `${this.path}.new`
    const file = openSync(draft, 'w', 0o600)
    const lines = [HEADER, ...rows.map((row) => [row])].map((line) => `${JSON.stringify(line)}\n`)
    writeSync(file, lines.join(''))
    fdatasyncSync(file)
    renameSync(draft, this.path)
    if (this.#file !== undefined) closeSync(this.#file)
    this.#file = file
    this.#lines = rows.length
  }

  close(): void {
    this.#closed = true
    if (this.#file !== undefined) closeSync(this.#file)
    this.#file = undefined
  }

  #append(line: string): void {
    if (this.#file === undefined) throw new StorageUnavailable(`${this.path} is not open`)
    try {
      writeSync(this.#file, line)
      fdatasyncSync(this.#file)
    } catch (error) {
      // Whether the line is there is known only when the file is read again, so nothing more is written behind it.
      this.close()
      throw error
    }
  }

  // The rows are parsed from the line itself: nobody else holds them, and they are what a restart would read.
  #apply(line: string): void {
    for (const [name, ...change] of JSON.parse(line) as Change[]) {
      const table = this.#tables.get(name) ?? new Map<string, unknown>()
      const [key, row] = change
      // Taken out first: a map keeps a key that is set again in its old place, and tables are read in order of change.
      if (key === undefined) table.clear()
      else table.delete(key)
      if (key !== undefined && change.length === 2) table.set(key, row)
      if (table.size === 0) this.#tables.delete(name)
      else this.#tables.set(name, table)
    }
    this.#lines++
  }
}

/** The first thing that stands in a commit's way, in the order that the port gives. */
function findConflict(journal: Journal, commit: Commit): CommitConflict | undefined {
  const versionOf = (kind: EntityKind, id: string) =>
    journal.rows<AnyEntity['value']>(kind).get(id)?.version ?? 'absent'
  for (const { kind, id, expected } of commit.checks)
    if (versionOf(kind, id) !== expected) return { kind, id, on: 'check' }
  for (const { kind, id, expected } of commit.writes)
    if (versionOf(kind, id) !== expected) return { kind, id, on: 'version' }

  // Keys are judged on the state after the commit: what it writes or removes no longer holds its old ones.
  const written = new Set(commit.writes.map(({ kind, id }) => `${kind} ${id}`))
  const holders = new Map<string, string>()
  for (const write of commit.writes) {
    const self = `${write.kind} ${write.id}`
    for (const key of 'put' in write ? keysOf(write.kind, write.put) : []) {
      const stored = journal.rows<[EntityKind, string]>('unique-key').get(key)?.join(' ')
      const holder = holders.get(key) ?? (stored !== undefined && written.has(stored) ? self : (stored ?? self))
      if (holder !== self) return { kind: 'unique-key', id: key, on: 'unique' }
      holders.set(key, self)
    }
  }

  const sums = new Map(journal.rows<number>('counter'))
  for (const { id, add, atMost } of commit.counters) {
    const sum = (sums.get(id) ?? 0) + add
    if (atMost !== undefined && sum > atMost) return { kind: 'counter', id, on: 'limit' }
    sums.set(id, sum)
  }
  return undefined
}

const keysOf = (kind: EntityKind, value: AnyEntity['value']) => uniqueKeysOf({ kind, value } as AnyEntity)

/** The last change of a ticket, numbered; a removed one leaves a tombstone. */
type Mark = [number: number, removedAt: Instant | null]

/** A job, with the claim that holds it. */
type Job = JobSpec & { attempts: number; token?: string; until?: Instant }

/** What a commit that nothing stands in the way of changes. */
function changesOf(journal: Journal, commit: Commit): Change[] {
  const changes: Change[] = []
  const next = sequence(journal, changes)
  const freed: Change[] = []
  for (const { kind, id, ...write } of commit.writes) {
    const before = journal.rows<AnyEntity['value']>(kind).get(id)
    // All old keys go before any new one comes, so that a key may move between the entities of one commit.
    if (before !== undefined) for (const key of keysOf(kind, before)) freed.push(['unique-key', key])
    if (before !== undefined && kind === 'ticket' && 'queueKey' in before)
      changes.push([`mark ${before.queueKey}`, id, [next(), commit.at] satisfies Mark])
    if ('put' in write) {
      changes.push([kind, id, write.put])
      for (const key of keysOf(kind, write.put)) changes.push(['unique-key', key, [kind, id]])
      if (kind === 'ticket' && 'queueKey' in write.put)
        changes.push([`mark ${write.put.queueKey}`, id, [next(), null] satisfies Mark])
    } else changes.push([kind, id], ...(kind === 'lobby' || kind === 'server' ? [[`presence ${id}`] as Change] : []))
  }
  const sums = new Map<string, number>()
  for (const { id, add } of commit.counters)
    sums.set(id, (sums.get(id) ?? journal.rows<number>('counter').get(id) ?? 0) + add)
  for (const [id, sum] of sums) changes.push(['counter', id, sum])
  for (const event of commit.events) changes.push([`event ${event.lobbyId}`, String(event.version), event])
  for (const job of commit.jobs) changes.push(['job', job.id, { ...job, attempts: 0 } satisfies Job])
  const newest = Math.max(commit.at, journal.rows<number>('store').get('newest') ?? 0)
  return [...freed, ...changes, ['commit', commit.id, commit.at], ['store', 'newest', newest]]
}

/** Numbers that only grow, also over a restart; each one drawn is among the changes. */
function sequence(journal: Journal, changes: Change[]): () => number {
  let last = journal.rows<number>('store').get('sequence') ?? 0
  return () => {
    changes.push(['store', 'sequence', ++last])
    return last
  }
}

type Order<T> = (a: T, b: T) => number
type Aged = { readonly id: string; readonly createdAt: Instant }
// Plain comparison of code units: the order must not depend on the machine's language.
const byText: Order<string> = (a, b) => (a < b ? -1 : a > b ? 1 : 0)
const oldestFirst: Order<Aged> = (a, b) => a.createdAt - b.createdAt || byText(a.id, b.id)
const newestFirst: Order<Aged> = (a, b) => oldestFirst(b, a)
const LOBBY_ORDERS: Record<LobbyQuery['sort'], Order<Lobby>> = {
  created_at_asc: oldestFirst,
  created_at_desc: newestFirst,
  player_count_desc: (a, b) => b.players.length - a.players.length || newestFirst(a, b),
}

/** The readers that list entities: filter everything, sort it, cut the page. A database has an index for each. */
function lists(journal: Journal) {
  const all = <K extends EntityKind>(kind: K, order: Order<Entities[K]>, where: Partial<Entities[K]>) => {
    const wanted = Object.entries(where).filter(([, value]) => value !== undefined)
    const matches = (value: Entities[K]) => wanted.every(([name, want]) => value[name as keyof Entities[K]] === want)
    return [...journal.rows<Entities[K]>(kind).values()].filter(matches).sort(order)
  }
  const page = async <T>(found: T[], { limit, offset }: PageRequest): Promise<Page<T>> => ({
    total: found.length,
    data: structuredClone(found.slice(offset, offset + limit)),
  })
  const live = () => all('server', oldestFirst, {}).filter(({ status }) => LIVE_SERVER_STATUSES.includes(status))
  const given = <T extends object>(where: T) => where as { [K in keyof T]: Exclude<T[K], undefined> }

  return {
    lobbies: {
      browse: async (q: LobbyQuery) => {
        const where = given({ projectId: q.projectId, queueId: q.queueId, status: q.status, region: q.region })
        const found = all('lobby', LOBBY_ORDERS[q.sort], where)
        return page(q.includePrivate ? found : found.filter(({ isPrivate }) => !isPrivate), q)
      },
    },
    projects: {
      list: async (accountId: string, request: PageRequest) =>
        page(all('project', oldestFirst, { accountId, deletedAt: null }), request),
      listAll: async (accountId: string) => structuredClone(all('project', oldestFirst, { accountId })),
    },
    apiKeys: {
      list: async (projectId: string, request: PageRequest) =>
        page(all('api-key', oldestFirst, { projectId }), request),
    },
    queues: {
      list: async (projectId: string, request: PageRequest) =>
        page(
          all('queue', (a, b) => byText(a.queueId, b.queueId), { projectId }),
          request,
        ),
    },
    builds: {
      list: async (q: BuildQuery) => {
        const where = given({ projectId: q.projectId, name: q.name, type: q.type, status: q.status })
        const found = all('build', newestFirst, where)
        return page(q.status === undefined ? found.filter(({ status }) => status !== 'deleted') : found, q)
      },
      newestReady: async (projectId: string, name: string) =>
        structuredClone(
          all('build', (a, b) => b.buildVersion - a.buildVersion, { projectId, name, status: 'ready' })[0],
        ),
    },
    servers: {
      list: async (q: ServerQuery) => {
        const { projectId, status, region, matchId, versionTag } = q
        return page(all('server', newestFirst, given({ projectId, status, region, matchId, versionTag })), q)
      },
      listLive: async (node?: string) =>
        structuredClone(live().filter(({ nodeId }) => node === undefined || nodeId === null || nodeId === node)),
      anyLiveOfBuild: async (build: string) => live().some(({ buildId }) => buildId === build),
      countLive: async (project: string) => live().filter(({ projectId }) => projectId === project).length,
      listMetered: async (accountId: string, from: Instant, to: Instant) => {
        const ran = ({ runningAt, stoppedAt }: Entities['server']) =>
          runningAt !== null && runningAt < to && (stoppedAt === null || stoppedAt > from)
        return structuredClone(all('server', oldestFirst, { accountId }).filter(ran))
      },
    },
    matches: {
      listRecent: async (key: string, since: Instant, limit: number) => {
        const found = all('match', newestFirst, {}).filter(({ projectId, queueId, createdAt }) => {
          return queueKey(projectId, queueId) === key && createdAt >= since
        })
        return structuredClone(found.slice(0, limit))
      },
    },
  }
}

/** The tickets of a queue as a log of changes; the cursor is the number of the last change that was read. */
function changedSince(journal: Journal, queue: string, cursor: string | undefined, limit: number): TicketChanges {
  const after = Number(cursor ?? 0)
  const marks = [...journal.rows<Mark>(`mark ${queue}`)]
    // Without a cursor the caller has nothing yet that a tombstone could take away.
    .filter(([, [number, removedAt]]) => number > after && (cursor !== undefined || removedAt === null))
  const read = marks.slice(0, limit)
  const tickets = journal.rows<Entities['ticket']>('ticket')
  return {
    changes: read.map(([ticketId, [, removedAt]]) => ({
      ticketId,
      ticket: removedAt === null ? structuredClone(tickets.get(ticketId)) : undefined,
    })),
    cursor: String(read.at(-1)?.[1][0] ?? after),
    more: marks.length > limit,
  }
}

/** The queues in which anybody waits. */
function waiting(journal: Journal) {
  const queues = new Map<string, { queueKey: string; parties: number; players: number }>()
  for (const { queueKey, players } of journal.rows<Entities['ticket']>('ticket').values()) {
    const { parties: p, players: n } = queues.get(queueKey) ?? { parties: 0, players: 0 }
    queues.set(queueKey, { queueKey, parties: p + 1, players: n + players.length })
  }
  return [...queues.values()].sort((a, b) => byText(a.queueKey, b.queueKey))
}

/** Due and in nobody's hands, oldest first. */
const due = (journal: Journal, now: Instant) =>
  [...journal.rows<Job>('job').values()]
    .filter(({ runAt, until }) => runAt <= now && (until === undefined || until <= now))
    .sort((a, b) => a.runAt - b.runAt || byText(a.id, b.id))

/** Jobs: a claim is a token and an instant in the row, and whoever shows another token has lost it. */
function jobs(journal: Journal): Storage['jobs'] {
  const held = ({ id, token }: ClaimedJob) => {
    const job = journal.rows<Job>('job').get(id)
    return job?.token === token ? job : undefined
  }
  return {
    async claim({ now, limit, leaseMs }) {
      const changes: Change[] = []
      const next = sequence(journal, changes)
      const claimed = due(journal, now)
        .slice(0, limit)
        .map((job) => ({ ...job, attempts: job.attempts + 1, token: String(next()), until: now + leaseMs }))
      journal.write([...changes, ...claimed.map((job): Change => ['job', job.id, job])])
      return structuredClone(claimed.map(({ until: _, ...job }) => job))
    },
    async complete(claimed) {
      const job = held(claimed)
      if (job !== undefined) journal.write([['job', job.id]])
      return job !== undefined
    },
    async retry(claimed, runAt) {
      const { token: _, until: __, ...job } = held(claimed) ?? {}
      if ('id' in job) journal.write([['job', claimed.id, { ...job, runAt }]])
      return 'id' in job
    },
    async nextRunAt() {
      const free = [...journal.rows<Job>('job').values()].filter(({ token }) => token === undefined)
      return free.length === 0 ? undefined : Math.min(...free.map(({ runAt }) => runAt))
    },
  }
}

/** What is kept beside the entities: streams, leases, presence. */
function besides(journal: Journal): Pick<Storage, 'events' | 'leases' | 'presence'> {
  return {
    events: {
      async read(lobbyId, afterVersion, limit) {
        const stream = [...journal.rows<StreamEvent>(`event ${lobbyId}`).values()]
        return structuredClone(stream.filter(({ version }) => version > afterVersion).slice(0, limit))
      },
      async range(lobbyId) {
        const stream = [...journal.rows<StreamEvent>(`event ${lobbyId}`).values()]
        const [oldest, newest] = [stream[0], stream.at(-1)]
        return oldest && newest && { oldest: oldest.version, newest: newest.version }
      },
    },
    leases: {
      async acquire(name, holder, now, ttlMs) {
        const lease = journal.rows<{ holder: string; until: Instant }>('lease').get(name)
        if (lease !== undefined && lease.holder !== holder && lease.until > now) return false
        journal.write([['lease', name, { holder, until: now + ttlMs }]])
        return true
      },
      async release(name, holder) {
        const lease = journal.rows<{ holder: string }>('lease').get(name)
        if (lease?.holder === holder) journal.write([['lease', name]])
      },
    },
    presence: {
      async touch(entries) {
        const seen = new Map<string, [scope: string, member: string, at: Instant]>()
        for (const { scope, member, at } of entries) {
          const name = JSON.stringify([scope, member])
          const before = seen.get(name)?.[2] ?? journal.rows<Instant>(`presence ${scope}`).get(member) ?? at
          seen.set(name, [scope, member, Math.max(at, before)])
        }
        journal.write([...seen.values()].map(([scope, member, at]): Change => [`presence ${scope}`, member, at]))
      },
      read: async (scope) => [...journal.rows<Instant>(`presence ${scope}`)].map(([member, at]) => ({ member, at })),
      forget: async (scope) => journal.write([[`presence ${scope}`]]),
    },
  }
}

function metrics(journal: Journal, now: Instant) {
  const lobbiesByStatus = { waiting: 0, in_queue: 0, matched: 0, starting: 0, in_game: 0 }
  for (const { status } of journal.rows<Lobby>('lobby').values()) lobbiesByStatus[status]++
  const sum = (field: 'parties' | 'players') => waiting(journal).reduce((total, queue) => total + queue[field], 0)
  const jobsDue = due(journal, now)
  return {
    lobbiesByStatus,
    waitingParties: sum('parties'),
    waitingPlayers: sum('players'),
    jobsDue: jobsDue.length,
    oldestDueAt: jobsDue[0]?.runAt,
  }
}

/** What nobody may ask for any more; the port names each thing and its age. */
function forgotten(journal: Journal, now: Instant): Change[] {
  const changes: Change[] = []
  for (const name of journal.tables('event ')) {
    const newestFirst = [...journal.rows<StreamEvent>(name).values()].reverse()
    const last = newestFirst[0]
    if (last?.name === 'lobby_deleted' && last.at < now - STREAM_RETENTION.ms) changes.push([name])
    let bytes = 0
    // An event goes only when none of the three figures keeps it.
    for (const [index, { version, at, lobby }] of newestFirst.entries()) {
      bytes += utf8Length(JSON.stringify(lobby))
      const old = index >= STREAM_RETENTION.events && at < now - STREAM_RETENTION.ms
      if (old && bytes > STREAM_RETENTION.bytes) changes.push([name, String(version)])
    }
  }
  for (const name of journal.tables('mark '))
    for (const [id, [, removedAt]] of journal.rows<Mark>(name))
      if (removedAt !== null && removedAt < now - HOUR_MS) changes.push([name, id])
  for (const [id, at] of journal.rows<Instant>('commit')) if (at < now - HOUR_MS) changes.push(['commit', id])
  for (const [id, { expiresAt }] of journal.rows<Entities['idempotency']>('idempotency'))
    if (expiresAt <= now) changes.push(['idempotency', id])
  return changes
}

/** Storage in one file of JSON lines, everything in memory beside it, for one process. Call `migrate` before anything else. */
export function journalStorage({ path }: { readonly path: string }): Storage {
  const journal = new Journal(path)
  const listeners = new Set<SignalListener>()
  const tell = (commit: Commit) => {
    const signals = signalsOf(commit)
    // Each listener has a turn of its own: one that throws takes nothing from the others, or from the committer.
    for (const listener of listeners) for (const signal of signals) queueMicrotask(() => listener(signal))
  }
  const get = <K extends EntityKind>(kind: K, id: string) => structuredClone(journal.rows<Entities[K]>(kind).get(id))

  return {
    name: 'journal',
    migrate: async () => journal.open(),
    ping: async () => void journal.rows('store'),
    newestInstant: async () => journal.rows<Instant>('store').get('newest') ?? 0,
    async close() {
      journal.close()
      listeners.clear()
    },
    async commit(commit): Promise<CommitResult> {
      assertWellFormed(commit)
      if (journal.rows('commit').has(commit.id)) return { ok: true }
      const conflict = findConflict(journal, commit)
      if (conflict !== undefined) return { ok: false, conflict }
      const changes = changesOf(journal, commit)
      try {
        journal.write(changes)
      } catch (cause) {
        throw new OutcomeUnknown(commit.id, { cause })
      }
      tell(commit)
      return { ok: true }
    },
    commits: { find: async (id) => journal.rows('commit').has(id) },
    get: async (kind, id) => get(kind, id),
    getMany: async (kind, ids) => ids.map((id) => get(kind, id)).filter((entity) => entity !== undefined),
    async find(kind, key) {
      const [holder, id] = journal.rows<[EntityKind, string]>('unique-key').get(key) ?? []
      return holder === kind && id !== undefined ? get(kind, id) : undefined
    },
    ...lists(journal),
    tickets: {
      changedSince: async (queue, cursor, limit) => changedSince(journal, queue, cursor, limit),
      waiting: async () => waiting(journal),
    },
    ...besides(journal),
    jobs: jobs(journal),
    counters: { read: async (id) => journal.rows<number>('counter').get(id) ?? 0 },
    subscribe(listener) {
      const added: SignalListener = (signal) => listener(signal)
      listeners.add(added)
      return () => listeners.delete(added)
    },
    metrics: async (now) => metrics(journal, now),
    async prune(now) {
      journal.write(forgotten(journal, now))
      journal.compact()
    },
  }
}
