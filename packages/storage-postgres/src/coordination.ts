import type { Instant } from '@matchyard/core'
import { fromColumn, toColumn } from './column-text'
import type { Database } from './database'
import { commitStatements } from './statements/commits'
import { coordinationStatements as statements } from './statements/coordination'

export async function acquireLease(
  database: Database,
  name: string,
  holder: string,
  now: Instant,
  ttlMs: number,
): Promise<boolean> {
  const values = [toColumn(name), toColumn(holder), now, now + ttlMs]
  return (await database.write(statements.acquireLease, values)).count === 1
}

export async function releaseLease(database: Database, name: string, holder: string): Promise<void> {
  await database.write(statements.releaseLease, [toColumn(name), toColumn(holder)])
}

interface SeenMember {
  readonly member: string
  readonly at: Instant
}
interface Seen extends SeenMember {
  readonly scope: string
}

/**
 * Stores the latest instant of each member. The rows are sorted, so that two nodes that write the same members cannot
 * deadlock.
 */
export async function touchPresence(database: Database, entries: readonly Seen[]): Promise<void> {
  const latest = new Map<string, Seen>()
  for (const entry of entries) {
    const key = JSON.stringify([entry.scope, entry.member])
    if (entry.at > (latest.get(key)?.at ?? Number.NEGATIVE_INFINITY)) latest.set(key, entry)
  }
  if (latest.size === 0) return
  const sorted = [...latest.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, entry]) => entry)
  await database.write(statements.touch, [
    sorted.map(({ scope }) => toColumn(scope)),
    sorted.map(({ member }) => toColumn(member)),
    sorted.map(({ at }) => at),
  ])
}

export async function readPresence(database: Database, scope: string): Promise<{ member: string; at: Instant }[]> {
  const { rows } = await database.read(statements.presence, [toColumn(scope)])
  return rows.map(({ member, at }) => ({ member: fromColumn(member), at }))
}

/** Returns the instants of the members of several scopes. */
export async function readPresenceOf(database: Database, scopes: readonly string[]): Promise<Seen[]> {
  if (scopes.length === 0) return []
  const { rows } = await database.read(statements.presenceOf, [scopes.map(toColumn)])
  return rows.map(({ scope, member, at }) => ({ scope: fromColumn(scope), member: fromColumn(member), at }))
}

export async function forgetPresence(database: Database, scope: string): Promise<void> {
  await database.write(commitStatements.forgetPresence, [[toColumn(scope)]])
}

export async function forgetMembers(database: Database, scope: string, members: readonly SeenMember[]): Promise<void> {
  if (members.length === 0) return
  const values = [toColumn(scope), members.map(({ member }) => toColumn(member)), members.map(({ at }) => at)]
  await database.write(statements.forgetMembers, values)
}
