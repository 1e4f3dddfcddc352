import type { Lobby } from '@matchyard/core'
import { proposalOf } from '@matchyard/core/domain'
import { banActs } from './acts/bans'
import { guestActs } from './acts/guests'
import { lobbyActs } from './acts/lobbies'
import { machineActs } from './acts/machines'
import { matchActs } from './acts/matches'
import { proposalActs } from './acts/proposals'
import { ratedResultActs } from './acts/rated-results'
import { ratingActs } from './acts/ratings'
import { resultActs } from './acts/results'
import { type Act, at } from './acts/scene'
import { searchActs } from './acts/searches'
import { seatActs } from './acts/seats'
import { serverActs } from './acts/servers'
import { trustActs } from './acts/trust'
import { webhookActs } from './acts/webhooks'
import { worldActs } from './acts/world'
import type { Command } from './commands'
import type { Snapshot } from './invariants/snapshot'
import { PLAYERS } from './place'
import type { World } from './world'

const ACTS: Readonly<Record<Command['kind'], Act>> = {
  ...lobbyActs,
  ...proposalActs,
  ...searchActs,
  ...guestActs,
  ...banActs,
  ...matchActs,
  ...seatActs,
  ...resultActs,
  ...ratingActs,
  ...ratedResultActs,
  ...trustActs,
  ...serverActs,
  ...machineActs,
  ...webhookActs,
  ...worldActs,
}

/** Starts a command. Its calls continue in later turns (see `Scheduler`). */
export function perform(world: World, command: Command, now: Snapshot): void {
  const node = at(world.nodes, command.node)
  if (node === undefined || (world.loop && TICKS.includes(command.kind))) return
  const lobby = chooseLobby(command, [...now.lobbies.values()])
  const somebody = at(PLAYERS, command.b) ?? 'ann'
  const actor = lobby === undefined || command.c % 5 === 0 ? somebody : lobby.hostPlayerId
  ACTS[command.kind]({ world, command, node, projectId: now.place.projectId, lobby, actor, somebody, now })
}

/** Commands that have no effect on a node with a worker loop, because the loop does the same work. */
const TICKS: readonly Command['kind'][] = ['run-queue', 'run-jobs', 'reconcile']

/** By command: the statuses of a lobby in which the command has an effect. */
const FITTING: Partial<Record<Command['kind'], readonly Lobby['status'][]>> = {
  join: ['waiting'],
  'join-by-code': ['waiting'],
  settings: ['waiting'],
  'move-queue': ['waiting'],
  enqueue: ['waiting'],
  start: ['waiting'],
  cancel: ['in_queue'],
  end: ['in_game'],
  kick: ['in_queue', 'matched', 'starting', 'in_game'],
  state: ['in_queue', 'waiting'],
}

/** Commands that answer a proposal; in most cases they choose a lobby in a proposal. */
const ASKS: readonly Command['kind'][] = ['accept', 'decline']

/** Returns a lobby; in most cases a lobby whose status fits the command. */
function chooseLobby({ kind, a, b }: Command, lobbies: readonly Lobby[]): Lobby | undefined {
  const held = ASKS.includes(kind) ? lobbies.filter((lobby) => proposalOf(lobby) !== undefined) : []
  if (held.length > 0) return at(held, a)
  const fitting = lobbies.filter((lobby) => FITTING[kind]?.includes(lobby.status) ?? true)
  return at(fitting.length > 0 && b % 6 !== 0 ? fitting : lobbies, a)
}
