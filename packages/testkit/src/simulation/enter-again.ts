import { type Matchyard, ServiceError } from '@matchyard/core'
import { isProposed } from '@matchyard/core/domain'
import type { Inspector, Violation } from './inspector'
import { heldIn } from './invariants/held'
import { INVARIANTS } from './invariants/index'
import type { Snapshot } from './invariants/snapshot'
import { PLAYERS } from './place'
import type { World } from './world'

const QUEUE_ID = 'duel'
const OPEN = {
  ...{ enabled: true, concurrentMatches: false, leaverPenaltySeconds: 0 },
  matchmaking: { teams: 2, playersPerTeam: 1 },
}

/**
 * Tests at the end of a run that nobody is locked out: each player reads their live match and their searches, leaves
 * the match, and then enters a queue that allows a player only one live match. A ban of the player is lifted before,
 * and the queue has no penalties.
 */
export async function enterAgain(world: World, inspector: Inspector): Promise<Violation | undefined> {
  const node = world.nodes.find(({ life, serving }) => life.alive && serving)
  if (node === undefined) return undefined
  const { projectId } = world.place
  const { matchyard } = node
  await world.finish(matchyard.queues.update({ projectId, queueId: QUEUE_ID, changes: OPEN }))
  for (const playerId of PLAYERS) {
    const broken = await inspector.check(INVARIANTS)
    if (broken !== undefined) return broken
    const on = { projectId, playerId }
    const wrong = inspector.now && (await lockedOut(world, matchyard, on, inspector.now))
    if (wrong !== undefined) return { invariant: 'everyPlayerCanEnterAgain', message: `${playerId} ${wrong}` }
    world.count('entered again')
  }
  return undefined
}

interface OfPlayer {
  readonly projectId: string
  readonly playerId: string
}

/** Returns the reason why the player cannot enter, or the part of `players.self` that is false; else undefined. */
async function lockedOut(
  world: World,
  { bans, players, lobbies }: Matchyard,
  on: OfPlayer,
  now: Snapshot,
): Promise<string | undefined> {
  try {
    await world.finish(bans.delete(on)).catch(unlessAbsent)
    const { liveMatch, searches } = await world.finish(players.self(on))
    const told = [liveMatch?.matchId, ...searches.map(({ lobbyId }) => lobbyId)]
    const there = [matchOf(now, on), ...searchesOf(now, on)]
    if (told.sort().join() !== there.sort().join())
      return `is told of ${told.join()}, and the store has ${there.join()}`
    if (liveMatch !== null) await world.finish(players.leaveMatch(on))
    const { id: lobbyId } = await world.finish(lobbies.create({ ...on, queueId: QUEUE_ID }))
    await world.finish(lobbies.enqueue({ ...on, lobbyId }))
    return undefined
  } catch (error) {
    return `cannot enter: ${String(error)}`
  }
}

function unlessAbsent(error: unknown): void {
  if (!(error instanceof ServiceError) || error.code !== 'BAN_NOT_FOUND') throw error
}

const matchOf = (now: Snapshot, { playerId }: OfPlayer): string | undefined =>
  heldIn(now).find((held) => held.playerId === playerId && !isProposed(held.match))?.match.id

const searchesOf = ({ lobbies }: Snapshot, { playerId }: OfPlayer): string[] =>
  [...lobbies.values()].flatMap(({ id, status, players }) =>
    status === 'in_queue' && players.some((player) => player.playerId === playerId) ? [id] : [],
  )
