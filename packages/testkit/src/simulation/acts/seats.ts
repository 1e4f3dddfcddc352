import type { Match, Matchyard } from '@matchyard/core'
import { takesNewcomers } from '@matchyard/core/domain'
import { PLAYERS } from '../place'
import { type Act, at, type Scene, stateOf } from './scene'

const playing = ({ teams }: Match) => teams.flatMap(({ players }) => players.filter(({ leftAt }) => leftAt === null))

/** Returns a running match; if there is one, a match whose seat is kept. */
function chooseMatch({ now, command }: Scene, hasKept: boolean): Match | undefined {
  const all = [...now.matches.values()]
  const running = all.filter(takesNewcomers)
  const kept = all.filter(({ keptSeats }) => keptSeats !== undefined)
  const late = running.filter(({ queueId }) => queueId === 'late')
  if (!hasKept && late.length > 0 && command.b % 4 !== 0) return at(late, command.a)
  return at(hasKept && kept.length > 0 ? kept : running.length > 0 && command.b % 8 !== 0 ? running : all, command.a)
}

/** Returns the caller: a player of the match in most cases, a player of no such match, or the backend. */
function callerIn(match: Match, { command }: Scene) {
  if (command.c % 4 === 0) return { backend: true }
  const member = at(playing(match), command.b)?.playerId ?? 'ann'
  return { backend: false, playerId: command.c % 9 === 0 ? (at(PLAYERS, command.c) ?? 'ann') : member }
}

/** Keeps a seat for a player. In most cases the player then joins. */
function keep(scene: Scene, match: Match): void {
  const { world, node, projectId, command } = scene
  const friend = at(PLAYERS, command.a + command.c) ?? 'ann'
  const team = command.b % 5 === 0 ? { team: at(match.teams, command.c)?.name ?? 'team_1' } : {}
  const holdSeconds = 5 + (command.b % 4) * 30
  const wish = { projectId, matchId: match.id, targetPlayerId: friend, holdSeconds, ...team, ...callerIn(match, scene) }
  world.call(node, 'keep-seat', async ({ matches }) => {
    await matches.keepSeat(wish)
    if (command.c % 3 !== 0) join(scene, match, friend)
  })
}

/** Creates a lobby of the player in the queue of the match, and takes the kept seat with it. */
function join({ world, node, projectId, ...scene }: Scene, { id: matchId, queueId }: Match, playerId: string): void {
  const state = stateOf({ world, node, projectId, ...scene })
  world.call(node, 'create', async ({ lobbies }) => {
    const lobby = await lobbies.create({ projectId, queueId, playerId, state })
    world.answered(lobby)
    const on = { projectId, matchId, lobbyId: lobby.id, playerId, backend: false }
    world.call(node, 'join-match', async ({ matches }) => world.answered(await matches.join(on)))
  })
}

/** Runs a call of a player; the default runs it as it is. */
type Does = <T>(run: () => Promise<T>) => Promise<T>

/** Creates and queues a lobby of a player, in most cases with a tick of the queue, so that a match usually follows soon. */
export function seek(scene: Scene, queueId: string, playerId: string, does: Does = (run) => run()): void {
  const { world, node, projectId, command } = scene
  const calls = (name: string, run: (matchyard: Matchyard) => Promise<unknown>) =>
    world.call(node, name, (matchyard) => does(() => run(matchyard)))
  calls('create', async ({ lobbies }) => {
    const { id: lobbyId } = await lobbies.create({ projectId, queueId, playerId, state: stateOf(scene) })
    calls('enqueue', async ({ lobbies }) => {
      world.answered(await lobbies.enqueue({ projectId, lobbyId, playerId }))
      if (world.loop || command.c % 4 === 0) return
      world.call(node, 'tick queue', async ({ matchmaking, worker }) => {
        await matchmaking.runQueue(`${projectId}/${queueId}`)
        await worker.runDueJobs()
      })
    })
  })
}

/** Returns an action that creates and queues the lobbies of two players in a queue, so that a match usually follows soon. */
export const seekPair =
  (queueId: string): Act =>
  (scene) => {
    const { command } = scene
    for (const playerId of [at(PLAYERS, command.b) ?? 'ann', at(PLAYERS, command.b + 1) ?? 'bob']) {
      seek(scene, queueId, playerId)
    }
  }

/** Actions with seats of running matches that are kept for friends. */
export const seatActs = {
  /** In a queue that takes friends, so that the match has open seats. */
  'seek-late': seekPair('late'),
  'keep-seat': (scene) => {
    const { world, node, projectId, command } = scene
    const match = chooseMatch(scene, false)
    if (match === undefined) return
    // If the match is full, a player leaves first, so that there is an open seat to keep.
    const leaver = at(playing(match), command.c)
    const isFull = match.seats?.reduce((sum, { seats }) => sum + seats, 0) === playing(match).length
    if (leaver === undefined || !isFull || match.lobbyIds.length < 2) return keep(scene, match)
    world.call(node, 'leave', async ({ lobbies }) => {
      await lobbies.leave({ projectId, ...leaver })
      keep(scene, match)
    })
  },
  'free-seat': (scene) => {
    const { world, node, projectId, command } = scene
    const match = chooseMatch(scene, true)
    if (match === undefined) return
    const kept = at(match.keptSeats ?? [], command.b)
    const targetPlayerId = kept?.playerId ?? 'ann'
    const by = command.c % 3 === 0 ? { backend: true } : { backend: false, playerId: kept?.keptBy ?? targetPlayerId }
    const on = { projectId, matchId: match.id, targetPlayerId, ...by }
    world.call(node, 'free-seat', ({ matches }) => matches.freeSeat(on))
  },
  'join-match': (scene) => {
    const match = chooseMatch(scene, true)
    const friend = at(match?.keptSeats ?? [], scene.command.b)?.playerId ?? scene.somebody
    if (match !== undefined) join(scene, match, friend)
  },
} satisfies Record<string, Act>
