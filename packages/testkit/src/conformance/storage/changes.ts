import assert from 'node:assert/strict'
import type { Lobby } from '@matchyard/core'
import {
  type Commit,
  type CommitConflict,
  type CommitResult,
  type Entities,
  type EntityKind,
  type Put,
  type Remove,
  STREAM_RETENTION,
  type Storage,
  type StreamEvent,
  type StreamEventName,
} from '@matchyard/core/ports'

let counted = 0
/** Returns an id that is unique in this process. */
export const freshId = (prefix: string): string => `${prefix}_${String(++counted).padStart(6, '0')}`

/** Returns a commit that has only the given properties; all other properties are empty. */
export const change = (parts: Partial<Commit>): Commit => ({
  id: freshId('commit'),
  at: 1_000,
  checks: [],
  writes: [],
  counters: [],
  events: [],
  jobs: [],
  ...parts,
})

type Versioned = { readonly id: string; readonly version: number; readonly projectId?: string | null }

/** Returns the write that stores an entity. The caller has already set the entity's new version. */
export const put = <K extends EntityKind>(kind: K, value: Entities[K]): Put =>
  ({ kind, id: value.id, expected: value.version === 1 ? 'absent' : value.version - 1, put: value }) as Put

export const remove = (kind: EntityKind, { id, version, projectId }: Versioned): Remove => ({
  kind,
  id,
  expected: version,
  remove: true,
  ...(projectId == null ? {} : { projectId }),
})

/** Returns a copy of the entity with changes and with the next version. */
export const next = <T extends Versioned>(value: T, changes: Partial<T> = {}): T => ({
  ...value,
  ...changes,
  version: value.version + 1,
})

export const event = (lobby: Lobby, at = 1_000, name: StreamEventName = 'lobby_updated'): StreamEvent => ({
  lobbyId: lobby.id,
  version: lobby.version,
  name,
  at,
  lobby,
})

/** Returns the events of a lobby's stream as they were committed, without their sizes. */
export async function readEvents(storage: Storage, lobbyId: string, after: number, limit: number) {
  const events = await storage.events.read(lobbyId, after, limit, STREAM_RETENTION.bytes)
  return events.map(({ bytes: _, ...event }): StreamEvent => event)
}

/** Commits and asserts that the commit succeeds. */
export async function apply(storage: Storage, parts: Partial<Commit>): Promise<Commit> {
  const commit = change(parts)
  assert.deepEqual(await storage.commit(commit), { ok: true })
  return commit
}

/** Stores new entities of one kind with one commit. */
export const store = <K extends EntityKind>(storage: Storage, kind: K, ...values: Entities[K][]): Promise<Commit> =>
  apply(storage, { writes: values.map((value) => put(kind, value)) })

/** Sends a commit and asserts that the commit fails with this conflict. */
export async function refuse(storage: Storage, parts: Partial<Commit>, conflict: CommitConflict): Promise<Commit> {
  const commit = change(parts)
  assert.deepEqual(await storage.commit(commit), { ok: false, conflict })
  return commit
}

export const countOk = (results: readonly CommitResult[]): number => results.filter((result) => result.ok).length

/** Asserts that two values have the same JSON text, including the order of keys, which `deepEqual` ignores. */
export function assertSameText(actual: unknown, expected: unknown): void {
  assert.equal(JSON.stringify(actual), JSON.stringify(expected))
}

export const idsOf = (values: readonly { readonly id: string }[]): string[] => values.map((value) => value.id)
