import type { LobbySnapshot, Player } from '@matchyard/client'
import { isExternal } from '../../data/external'
import { outcomeOf } from '../../ui/outcome'
import { STATUSES, type Tone } from '../../ui/statuses'
import { counted } from '../../ui/words'

/**
 * A change of a lobby in words. Text from other people is in a separate field, so that it is never mixed with the
 * console's own text.
 */
export interface Change {
  readonly tone: Tone
  readonly text: string
  /** Text from another person, shown unchanged. */
  readonly of?: string
  /** Kind of the entity that `of` names, if it has a page. */
  readonly is?: 'player' | 'server'
  readonly detail?: string
}

const ofPlayer = (tone: Tone, text: string, id: string): Change => ({ tone, text, of: id, is: 'player' })

/**
 * Returns the entry for the creation of a lobby. The creator is named only when the oldest known version still has the
 * creator as a member.
 */
export function beginningOf(first: LobbySnapshot): Change {
  const maker = first.players.find(({ joined_at }) => joined_at === first.created_at)
  return maker === undefined ? { tone: 'info', text: 'Created' } : ofPlayer('info', 'Created by', maker.player_id)
}

/** Returns the changes from the version before to this version; `before` is undefined for the oldest known version. */
export function changesOf(before: LobbySnapshot | undefined, after: LobbySnapshot): readonly Change[] {
  if (before === undefined) {
    if (after.version === 1) return []
    const [tone, word] = STATUSES.lobby[after.status]
    return [{ tone, text: word, detail: `Version ${after.version} is the oldest known version` }]
  }
  return [...ofPlayers(before, after), ...ofLobby(before, after), ...ofMatch(before, after)]
}

function ofPlayers(before: LobbySnapshot, after: LobbySnapshot): Change[] {
  const was = new Map(before.players.map((player) => [player.player_id, player]))
  const is = new Map(after.players.map((player) => [player.player_id, player]))
  const came = after.players.filter(({ player_id }) => !was.has(player_id))
  const banned = without(after.banned, before.banned)
  const lifted = without(before.banned, after.banned)
  const went = before.players.filter(({ player_id }) => !is.has(player_id) && !banned.includes(player_id))
  const changed = after.players.filter((player) => hasOtherState(was.get(player.player_id), player))
  return [
    ...came.map(({ player_id }) => ofPlayer('info', 'Joined:', player_id)),
    ...went.map(({ player_id }) => ofPlayer('still', 'Left:', player_id)),
    ...banned.map((id) => ofPlayer('wait', 'Banned:', id)),
    ...lifted.map((id) => ofPlayer('info', 'Ban lifted:', id)),
    ...changed.map(
      (player): Change => ({
        ...ofPlayer('info', 'New state of', player.player_id),
        detail: fieldsOf(was.get(player.player_id)?.state ?? {}, player.state),
      }),
    ),
    ...(before.host_player_id === after.host_player_id ? [] : [ofPlayer('info', 'New host:', after.host_player_id)]),
  ]
}

function ofLobby(before: LobbySnapshot, after: LobbySnapshot): Change[] {
  const all: Change[] = []
  if (before.queue_id !== after.queue_id) all.push({ tone: 'info', text: 'Moved to the queue', of: after.queue_id })
  if (before.name !== after.name)
    all.push({
      tone: 'info',
      ...(after.name === undefined ? { text: 'Lobby name removed' } : { text: 'New lobby name:', of: after.name }),
    })
  if (before.max_players !== after.max_players)
    all.push({ tone: 'info', text: `New maximum size: ${counted(after.max_players, 'player')}` })
  if (before.is_private !== after.is_private)
    all.push({ tone: 'info', text: after.is_private ? 'Changed to private' : 'Changed to public' })
  if (before.region !== after.region)
    all.push({ tone: 'info', text: after.region === null ? 'Region removed' : `New region: ${after.region}` })
  if (written(before.settings) !== written(after.settings)) {
    all.push({ tone: 'info', text: 'New settings', detail: fieldsOf(before.settings, after.settings) })
  }
  return all
}

function ofMatch(before: LobbySnapshot, after: LobbySnapshot): Change[] {
  const all: Change[] = []
  if (before.proposal?.match_id !== after.proposal?.match_id) {
    all.push(
      after.proposal === undefined
        ? { tone: 'still', text: 'The match proposal has ended' }
        : { tone: 'wait', text: `A match was proposed to ${counted(after.proposal.needed, 'player')}` },
    )
  } else if (before.proposal?.accepted !== after.proposal?.accepted) {
    all.push({ tone: 'wait', text: `${after.proposal?.accepted} of ${after.proposal?.needed} players have accepted` })
  }
  if (before.status !== after.status) {
    const [tone, word] = STATUSES.lobby[after.status]
    const exit = after.status === 'waiting' ? after.last_exit : null
    all.push({
      tone: exit !== null && /failed|missing|no_room/.test(exit.reason) ? 'bad' : tone,
      text: exit === null ? word : `${word} again: ${reasonOf(exit.reason)}`,
      ...(exit === null ? {} : { detail: exit.detail }),
    })
  }
  if (before.server?.instance_id !== after.server?.instance_id && after.server !== null) {
    const { instance_id: of } = after.server
    all.push({ tone: 'good', text: 'Plays on the server', of, ...(!isExternal(after.server) && { is: 'server' }) })
  }
  return all
}

/** Returns the label of a reason as the end of a sentence: `the server failed`. */
const reasonOf = (reason: string): string => {
  const [, label] = outcomeOf(reason)
  return label.charAt(0).toLowerCase() + label.slice(1)
}

const without = (ids: readonly string[] = [], others: readonly string[] = []): readonly string[] =>
  ids.filter((id) => !others.includes(id))

const written = (value: unknown): string => JSON.stringify(value)

const hasOtherState = (was: Player | undefined, is: Player): boolean =>
  was !== undefined && written(was.state) !== written(is.state)

const MOST_FIELDS = 6

/** Returns the changed fields as text: `mmr 1500 → 1580, region removed`. */
function fieldsOf(before: Readonly<Record<string, unknown>>, after: Readonly<Record<string, unknown>>): string {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (name) => written(before[name]) !== written(after[name]),
  )
  const said = names.slice(0, MOST_FIELDS).map((name) => {
    if (!(name in after)) return `${short(name)} removed`
    const now = short(written(after[name]))
    return name in before ? `${short(name)} ${short(written(before[name]))} → ${now}` : `${short(name)} ${now}`
  })
  return names.length > MOST_FIELDS
    ? `${said.join(', ')} and ${counted(names.length - MOST_FIELDS, 'more field')}`
    : said.join(', ')
}

const short = (text: string): string => (text.length > 48 ? `${text.slice(0, 47)}…` : text)
