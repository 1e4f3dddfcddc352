import { MAX_BANS } from '../catalog/limits'
import { accept, type Decision, reject } from '../errors/decision'
import { bansIn, type Project } from '../project/project'
import { counted } from '../shared/counted'
import { toIso } from '../shared/time'
import { appliesTo, type PlayerBan } from './ban'

/** Caller that gets a refusal. */
export interface Addressee {
  /** Acting player; undefined when the call names no player. */
  readonly playerId: string | undefined
  /** Whether the caller is the project's own backend. */
  readonly backend: boolean
}

/** Rejects with PLAYER_BANNED when a ban from the whole project keeps one of the players out. */
export const mayEnterProject = (bans: readonly PlayerBan[], to: Addressee): Decision<never> =>
  refused(
    bans.filter(({ ban }) => ban.queues === null),
    to,
    { scope: 'project', from: 'this project' },
  )

/** Rejects with PLAYER_BANNED when a ban from this queue keeps one of the players out. */
export const mayEnterQueue = (bans: readonly PlayerBan[], to: Addressee, queueId: string): Decision<never> =>
  refused(
    bans.filter(({ ban }) => ban.queues !== null && appliesTo(ban, queueId)),
    to,
    { scope: 'queue', from: `queue ${queueId}` },
  )

/**
 * The refusal shows the ban of the acting player, or else the first ban. Another player than the banned one does not get the reason.
 */
function refused(
  bans: readonly PlayerBan[],
  { playerId, backend }: Addressee,
  { scope, from }: { readonly scope: 'project' | 'queue'; readonly from: string },
): Decision<never> {
  const [first] = bans
  if (first === undefined) return accept()
  const shown = bans.find((one) => one.playerId === playerId) ?? first
  const { reason, until } = shown.ban
  const seesReason = backend || shown.playerId === playerId
  const players = bans.map((one) => one.playerId)
  const others = players.length === 1 ? '' : `, and ${counted(players.length - 1, 'other player')} of the lobby too`
  const end = until === null ? '' : ` until ${toIso(until)}`
  return reject('PLAYER_BANNED', `player ${JSON.stringify(shown.playerId)} is banned from ${from}${end}${others}`, {
    scope,
    until: until === null ? null : toIso(until),
    reason: seesReason ? reason : null,
    players,
  })
}

/** Rejects with BAN_NOT_FOUND a call about a ban that does not exist or has ended. */
export const noSuchBan = (playerId: string) =>
  reject('BAN_NOT_FOUND', `player ${JSON.stringify(playerId)} is not banned from this project or any of its queues`)

/** Rejects with BAN_LIMIT when the project has its maximum number of bans. */
export const mayAddBan = (project: Project): Decision<never> =>
  bansIn(project) < MAX_BANS
    ? accept()
    : reject('BAN_LIMIT', `project ${project.id} already has ${MAX_BANS} bans, the maximum; lift a ban first`)
