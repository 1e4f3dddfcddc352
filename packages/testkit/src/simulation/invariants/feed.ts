import { type Invariant, textOf } from './invariant'

/**
 * Invariant: a reader that reads all pages of a project's changes while the run continues has the same data as the
 * store at the end.
 */
export const aFeedEndsWithTheStore: Invariant = ({ now: { feed, lobbies, matches, servers, queues } }) => {
  if (feed === undefined) return []
  const there = new Map<string, { readonly version: number }>()
  for (const [kind, all] of Object.entries({ lobby: lobbies, match: matches, server: servers, queue: queues })) {
    for (const [id, value] of all) there.set(`${kind} ${id}`, value)
  }
  const missed = [...there].flatMap(([name, value]) => {
    const told = feed.get(name)
    if (told?.version === value.version && told.value !== undefined && textOf(told.value) === textOf(value)) return []
    return [`${name} is in version ${value.version}, and was told in ${told?.version}`]
  })
  const kept = [...feed].filter(([name, { kind }]) => kind !== 'build' && !there.has(name))
  return [...missed, ...kept.map(([name]) => `${name} is gone, and nobody told of it`)]
}
