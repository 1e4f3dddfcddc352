import { isMatchyardError } from '@matchyard/client'
import type { Machine } from '@matchyard/client/admin'
import type { OpenProject } from '../data/project'
import { href } from '../data/route'
import { type Room, roomsFor } from '../rooms'
import { counted, type IconName } from '../ui'
import { type IdKind, kindOfId, matching, mayBeCode } from './search-ids'

/** Result of the search. */
export interface Found {
  readonly key: string
  readonly icon: IconName
  /** Kind of the object, such as `Queue`. */
  readonly kind: string
  readonly title: string
  readonly detail?: string
  readonly href: string
}

/** Returns the results that the page knows without a call: sections, queues, builds, machines, servers, matches. */
export function knownFor(
  words: string,
  { store, session }: OpenProject,
  machines: readonly Machine[],
): readonly Found[] {
  const all = <K extends 'queue' | 'build' | 'server' | 'match' | 'lobby'>(kind: K) => store.live(kind).things.all()
  const names = [...new Map(all('build').map((build) => [build.name, build])).values()]
  return [
    ...matching(all('queue'), words, ({ queue_id, name }) => [name, queue_id]).map(({ queue_id, name }) =>
      found('queues', 'Queue', { id: queue_id, title: name, detail: name === queue_id ? undefined : queue_id }),
    ),
    ...matching(names, words, ({ name }) => [name]).map(({ name }) =>
      found('builds', 'Build', { id: name, title: name }),
    ),
    ...matching(machines, words, ({ name, machine_id, host }) => [name, machine_id, host]).map(
      ({ machine_id, name, host }) =>
        found('machines', 'Machine', { id: machine_id, title: name, detail: host ?? undefined }),
    ),
    ...matching(all('server'), words, ({ name, instance_id }) => [name, instance_id]).map(
      ({ instance_id, name, status }) => found('servers', 'Server', { id: instance_id, title: name, detail: status }),
    ),
    ...matching(all('match'), words, ({ match_id }) => [match_id]).map(({ match_id, queue_id }) =>
      found('matches', 'Match', { id: match_id, title: match_id, detail: queue_id }),
    ),
    ...matching(all('lobby'), words, ({ lobby_id }) => [lobby_id]).map(({ lobby_id, queue_id }) =>
      found('lobbies', 'Lobby', { id: lobby_id, title: lobby_id, detail: queue_id }),
    ),
    ...matching(roomsFor(session.account), words, ({ title }) => [title]).map(pageOf),
  ]
}

const pageOf = ({ id, icon, title }: Room): Found => ({ key: `page ${id}`, icon, kind: 'Page', title, href: href(id) })

interface Named {
  readonly id: string
  readonly title: string
  readonly detail?: string | undefined
}

type ListedRoom = 'queues' | 'builds' | 'machines' | 'servers' | 'matches' | 'lobbies'

const found = (room: ListedRoom, kind: string, { id, title, detail }: Named): Found => ({
  ...{ key: `${room} ${id}`, icon: room, kind, title, href: href(room, id) },
  ...(detail === undefined ? {} : { detail }),
})

/** Asks the service for the object with a complete id. Returns undefined when there is no such object. */
export async function objectWithId(text: string, { admin }: OpenProject): Promise<Found | undefined> {
  const kind = kindOfId(text)
  if (kind === undefined) return undefined
  const CALLS: Readonly<Record<IdKind, () => Promise<Found>>> = {
    match: async () => found('matches', 'Match', { id: (await admin.matches.get(text)).match_id, title: text }),
    lobby: async () => found('lobbies', 'Lobby', { id: (await admin.lobbies.get(text)).lobby_id, title: text }),
    server: async () => found('servers', 'Server', { id: (await admin.servers.get(text)).instance_id, title: text }),
    build: async () => {
      const { name, version } = await admin.builds.get(text)
      return {
        ...found('builds', 'Build', { id: name, title: `${name} v${version}` }),
        href: href('builds', name, text),
      }
    },
    webhook: async () => {
      await admin.webhooks.get(text)
      const to = href('settings', 'webhooks', text)
      return { key: text, icon: 'settings', kind: 'Webhook', title: text, href: to }
    },
  }
  return CALLS[kind]().catch(noneIfRefused)
}

/** Asks the service for the lobby with an invite code. */
export async function lobbyWithCode(text: string, { admin }: OpenProject): Promise<readonly Found[]> {
  if (!mayBeCode(text)) return []
  try {
    for await (const { lobby_id, queue_id } of admin.lobbies.all({ code: text.replace(/[\s-]/g, '') })) {
      const detail = `code ${text.toUpperCase()}, ${queue_id}`
      return [{ ...found('lobbies', 'Lobby', { id: lobby_id, title: lobby_id, detail }), key: `code ${lobby_id}` }]
    }
    return []
  } catch (error) {
    noneIfRefused(error)
    return []
  }
}

/** Asks the service for a player. The result leads to the page of the player, also when the player is unknown. */
export async function playerWithId(text: string, { admin }: OpenProject): Promise<Found> {
  const player: Found = {
    ...{ key: `player ${text}`, icon: 'player', kind: 'Player', title: text, href: href('players', text) },
    detail: 'not seen lately',
  }
  const told = await admin.players.find(text).catch(noneIfRefused)
  if (told === undefined) return player
  const { live_match, searches, lobbies, matches } = told
  if (live_match !== null) return { ...player, detail: 'in a match' }
  if (searches.length > 0) return { ...player, detail: `in ${counted(searches.length, 'search', 'searches')}` }
  if (lobbies.length > 0) return { ...player, detail: `in ${counted(lobbies.length, 'lobby', 'lobbies')}` }
  return matches.length > 0 ? { ...player, detail: counted(matches.length, 'match', 'matches') } : player
}

/** Returns undefined for an error of the service about the searched text; throws any other error. */
function noneIfRefused(error: unknown): undefined {
  if (isMatchyardError(error) && error.status >= 400 && error.status < 500 && error.status !== 429) return undefined
  throw error
}
