import { CHANGE_KINDS, type Change, type ChangeBounds, type ChangeKind, type Changes } from '@matchyard/core/ports'
import type { Changed, HeldRow } from '../statements/changes'
import type { Statements } from '../statements/index'

/**
 * Position of a reader of a project's changes, valid until the file is closed. The reader first reads all rows of the
 * project, kind by kind. It then continues in the log of changes, from the number that the log had when the reader
 * began.
 */
interface Cursor {
  readonly history: string
  readonly after: number
  /** Number of changes of the log row `after` that the reader has got already; 0 when it has got the whole row. */
  readonly told: number
  readonly walk?: { readonly kind: number; readonly last: Place }
}
type Place = Pick<HeldRow, 'first' | 'second' | 'id'>

const BEGINNING: Place = { first: '', second: 0, id: '' }
/** Value that is lower than the values of each kind's rows, in the column by which the rows are ordered. */
const FIRST_OF: Readonly<Record<ChangeKind, string | number>> = {
  build: -1,
  lobby: '',
  match: '',
  queue: '',
  server: -1,
}
const beginningOf = (kind: number): Place => ({ ...BEGINNING, first: FIRST_OF[CHANGE_KINDS[kind] ?? 'lobby'] })

/** Returns the number of the first log row that the reader may need. */
const firstUnread = ({ after, told }: Cursor) => (told > 0 ? after : after + 1)
const newestOf = ({ changes }: Statements): number => changes.newest.get() ?? 0

export const changesNow = (statements: Statements, history: string): string =>
  JSON.stringify({ history, after: newestOf(statements), told: 0 } satisfies Cursor)

export function changesSince(
  statements: Statements,
  history: string,
  projectId: string,
  cursor: string | undefined,
  bounds: ChangeBounds,
): Changes {
  const from = cursor === undefined ? undefined : (JSON.parse(cursor) as Cursor)
  // The oldest rows of the log are deleted first. The reader can therefore continue if the first row that it needs
  // still exists.
  const goesOn = from?.history === history && firstUnread(from) >= (statements.changes.oldest.get() ?? 0)
  const at: Cursor = goesOn
    ? from
    : { history, after: newestOf(statements), told: 0, walk: { kind: 0, last: beginningOf(0) } }
  const page = new Page(bounds)
  const next =
    at.walk === undefined ? readLog(statements, projectId, at, page) : walkHeld(statements, projectId, at, page)
  return {
    changes: page.changes,
    cursor: JSON.stringify(next.cursor),
    more: next.more,
    startedOver: cursor !== undefined && !goesOn,
  }
}

/** A page of changes that is being filled, within its bounds. */
class Page {
  readonly changes: Change[] = []
  #bytes = 0

  constructor(readonly bounds: ChangeBounds) {}

  /** Adds a change to the page. Returns false, without adding the change, when the page is full. */
  tell(kind: ChangeKind, id: string, version: number, body: string | undefined): boolean {
    const bytes = body === undefined ? 0 : Buffer.byteLength(body)
    const { limit, maxBytes } = this.bounds
    if (this.changes.length === limit || (this.#bytes > 0 && this.#bytes + bytes > maxBytes)) return false
    this.#bytes += bytes
    const value = body === undefined ? undefined : JSON.parse(body)
    this.changes.push({ kind, id, version, value })
    return true
  }
}

interface Next {
  readonly cursor: Cursor
  readonly more: boolean
}

function walkHeld({ changes }: Statements, project: string, at: Cursor, page: Page): Next {
  const { walk, ...log } = at
  let last = walk?.last ?? BEGINNING
  for (let kind = walk?.kind ?? 0; kind < CHANGE_KINDS.length; kind++) {
    const name = CHANGE_KINDS[kind] ?? 'lobby'
    const limit = page.bounds.limit + 1
    for (const { first, second, id, version, body } of changes.held[name].iterate({ project, ...last, limit })) {
      if (!page.tell(name, id, version, body)) return { cursor: { ...log, walk: { kind, last } }, more: true }
      last = { first, second, id }
    }
    last = beginningOf(kind + 1)
  }
  return { cursor: log, more: true }
}

/**
 * Returns a page of the log of changes. Skips a change of an entity that changed again later, because the newer change
 * has its own entry in the log.
 */
function readLog(statements: Statements, project: string, { history, after, told }: Cursor, page: Page): Next {
  const newest = newestOf(statements)
  const { limit } = page.bounds
  const first = firstUnread({ history, after, told })
  let at: Cursor = { history, after, told }
  let rows = 0
  // A page may become full within one log row, because a row contains the changes of a whole group of commits. Only the
  // rows that the page needs are read.
  for (const { sequence, changed } of statements.changes.since.iterate(project, first - 1, limit + 1)) {
    if (++rows > limit) return { cursor: at, more: true }
    const list = JSON.parse(changed) as Changed[]
    for (const [index, [kind, id, version, removed]] of list.entries()) {
      if (sequence === after && index < told) continue
      const now = statements.entities[kind].current.get(id)
      const isNewest = removed === undefined ? now?.[1] === version : now === undefined
      const body = now === undefined ? undefined : () => statements.entities[kind].body.get(id)
      if (isNewest && !page.tell(kind, id, version, body?.())) return { cursor: at, more: true }
      at = { history, after: sequence, told: index + 1 }
    }
    at = { history, after: sequence, told: 0 }
  }
  return { cursor: { history, after: Math.max(newest, after), told: 0 }, more: false }
}
