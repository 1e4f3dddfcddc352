import { type GameServer, type Instant, LIVE_SERVER_STATUSES } from '@matchyard/core'
import { HOUR_MS } from '@matchyard/core/domain'
import type { Storage } from '@matchyard/core/ports'
import type { Change, Journal } from './journal'

const seenIn = (journal: Journal, scope: string) => journal.rows<Instant>(`presence ${scope}`)

/** Returns the store of presence: the time at which each player was last seen, in one table per scope. */
export function presence(journal: Journal): Storage['presence'] {
  return {
    async touch(entries) {
      const seen = new Map<string, [scope: string, member: string, at: Instant]>()
      for (const { scope, member, at } of entries) {
        const name = JSON.stringify([scope, member])
        const before = seen.get(name)?.[2] ?? seenIn(journal, scope).get(member) ?? at
        seen.set(name, [scope, member, Math.max(at, before)])
      }
      journal.write([...seen.values()].map(([scope, member, at]): Change => [`presence ${scope}`, member, at]))
    },
    read: async (scope) => [...seenIn(journal, scope)].map(([member, at]) => ({ member, at })),
    readMany: async (scopes) =>
      [...new Set(scopes)].flatMap((scope) =>
        [...seenIn(journal, scope)].map(([member, at]) => ({ scope, member, at })),
      ),
    forget: async (scope) => journal.write([[`presence ${scope}`]]),
    async forgetMembers(scope, members) {
      const seen = seenIn(journal, scope)
      const gone = members.filter(({ member, at }) => (seen.get(member) ?? Number.POSITIVE_INFINITY) <= at)
      journal.write(gone.map(({ member }): Change => [`presence ${scope}`, member]))
    },
  }
}

/**
 * Returns the changes that remove presence older than an hour from scopes that are neither a lobby nor a live server.
 */
export function forgottenPresence(journal: Journal, now: Instant): Change[] {
  return journal.tables('presence ').flatMap((table): Change[] => {
    const scope = table.slice('presence '.length)
    const server = journal.rows<GameServer>('server').get(scope)
    const isLive = server !== undefined && LIVE_SERVER_STATUSES.includes(server.status)
    if (isLive || journal.rows('lobby').has(scope)) return []
    const old = [...seenIn(journal, scope)].filter(([, at]) => at < now - HOUR_MS)
    return old.map(([member]): Change => [table, member])
  })
}
