import type { Instant } from '@matchyard/core'
import type { Commit, EntityKind } from '@matchyard/core/ports'
import type { Changed } from '../statements/changes'
import { type CurrentRow, FIRST_COLUMN } from '../statements/entities'
import type { Statements } from '../statements/index'
import { type ColumnValue, ENTITY_TABLES } from '../statements/tables'
import { changedIn } from './changed-in'

type Columns = readonly ColumnValue[]

/** Positions of the columns by which lobbies are counted: these columns are the key of `lobby_count`. */
const COUNTED = ['project_id', 'queue_id', 'status', 'region', 'is_private'].map((column) =>
  ENTITY_TABLES.lobby.columns.indexOf(column),
)

const columnsOf = (row: CurrentRow | undefined) => row?.slice(FIRST_COLUMN) as Columns | undefined

interface LobbyCount {
  readonly key: Columns
  n: number
}

/**
 * Changes of one group of commits that are written together at the end of the group: the sums that nearly all commits
 * change, and the log of changes, with one row for each project. Each sum and each row is written once for the group,
 * and not once for each commit.
 */
export class GroupTally {
  readonly #sums = new Map<string, number>()
  readonly #changes = new Map<string, { at: Instant; readonly changed: Changed[] }>()
  readonly #lobbies = new Map<string, LobbyCount>()
  readonly #waiting = new Map<string, { parties: number; players: number }>()

  /** Returns the value of a counter after the commits of this group so far. */
  sum({ commits }: Statements, id: string): number {
    return this.#sums.get(id) ?? commits.readCounter.get(id) ?? 0
  }

  setSums(sums: ReadonlyMap<string, number>): void {
    for (const [id, sum] of sums) this.#sums.set(id, sum)
  }

  /**
   * Adds the changes of a commit to the log of changes. `rows` are the rows of the commit's writes, as they were before
   * the commit.
   */
  logChanges(commit: Commit, rows: readonly (CurrentRow | undefined)[]): void {
    for (const [projectId, changed] of changedIn(commit, rows)) {
      const logged = this.#changes.get(projectId)
      if (logged === undefined) this.#changes.set(projectId, { at: commit.at, changed })
      else {
        logged.at = Math.max(logged.at, commit.at)
        logged.changed.push(...changed)
      }
    }
  }

  /**
   * Adds the difference that a written row makes to the sums: `before` is undefined for a new row, `after` for a
   * removed row.
   */
  count(kind: EntityKind, before: CurrentRow | undefined, after: Columns | undefined): void {
    if (kind === 'lobby') this.#countLobby(columnsOf(before), after)
    else if (kind === 'ticket') {
      this.#countTicket(columnsOf(before), -1)
      this.#countTicket(after, 1)
    }
  }

  #countLobby(was: Columns | undefined, is: Columns | undefined): void {
    if (was !== undefined && is !== undefined && COUNTED.every((place) => was[place] === is[place])) return
    this.#addLobby(was, -1)
    this.#addLobby(is, 1)
  }

  #addLobby(columns: Columns | undefined, n: number): void {
    if (columns === undefined) return
    const key = COUNTED.map((place) => columns[place] ?? null)
    const name = key.join('\n')
    const counted = this.#lobbies.get(name)
    if (counted === undefined) this.#lobbies.set(name, { key, n })
    else counted.n += n
  }

  #countTicket(columns: Columns | undefined, n: number): void {
    const [queueKey, players] = columns ?? []
    // A ticket with fewer than 0 players is a match's request for new players, and not a waiting party.
    if (typeof queueKey !== 'string' || typeof players !== 'number' || players < 0) return
    const waiting = this.#waiting.get(queueKey) ?? { parties: 0, players: 0 }
    waiting.parties += n
    waiting.players += n * players
    this.#waiting.set(queueKey, waiting)
  }

  /** Writes the sums and the log of changes to the database. Must run before the group's COMMIT. */
  write({ commits, changes, lobbies, streams }: Statements): void {
    for (const [id, sum] of this.#sums) commits.setCounter.run(id, sum)
    for (const [projectId, { at, changed }] of this.#changes) changes.add.run(projectId, at, JSON.stringify(changed))
    for (const { key, n } of this.#lobbies.values()) if (n !== 0) lobbies.addCount.run(...key, n)
    for (const [queueKey, { parties, players }] of this.#waiting) streams.addWaiting.run(queueKey, parties, players)
    this.clear()
  }

  clear(): void {
    this.#sums.clear()
    this.#changes.clear()
    this.#lobbies.clear()
    this.#waiting.clear()
  }
}
