import type { BackfillWish, Match, Matchyard } from '@matchyard/core'
import { takesNewcomers } from '@matchyard/core/domain'
import type { Command } from '../commands'
import { PLAYERS, QUEUE_CHANGES, QUEUE_IDS, TRUSTED_FIELD } from '../place'
import { type Act, at, type Scene } from './scene'

type OnMatch = { readonly projectId: string; readonly matchId: string }

/** Returns a match; in most cases a match that new players can join. */
function chooseMatch({ now, command }: Scene): Match | undefined {
  const all = [...now.matches.values()]
  const running = all.filter(takesNewcomers)
  return at(running.length > 0 && command.b % 8 !== 0 ? running : all, command.a)
}

/**
 * Returns a backend's wish for new players: in most cases all open seats, sometimes a seat that may not be open,
 * sometimes changed states of players.
 */
function wishOf(match: Match, command: Command): BackfillWish {
  const team = at(match.teams, command.b)
  const player = team?.players.find(({ leftAt }) => leftAt === null)
  const players = player && [{ playerId: player.playerId, state: { mmr: (command.c % 4) * 60, mode: 'ctf' } }]
  return {
    ...(command.c % 3 === 0 && team !== undefined ? { teams: [{ name: team.name, open: 1 }] } : {}),
    ...(command.c % 4 === 0 && players !== undefined ? { players } : {}),
    ...(command.b % 2 === 0 ? { timeoutSeconds: 5 + (command.c % 3) * 20 } : {}),
  }
}

const playing = ({ players }: Match['teams'][number]) => players.filter(({ leftAt }) => leftAt === null)

/**
 * In most cases, creates a lobby of a player that fits the players of the match, and puts it into the match's queue;
 * otherwise does nothing.
 */
function newcomer({ world, node, projectId, command }: Scene, match: Match): void {
  const { queueId } = match
  const playerId = at(PLAYERS, command.a + command.c) ?? 'ann'
  const suits = at(match.teams.flatMap(playing), command.a)?.state
  if (suits === undefined || command.c % 5 === 0) return
  const { [TRUSTED_FIELD]: _, ...state } = suits
  world.call(node, 'create', async ({ lobbies }) => {
    const { id: lobbyId } = await lobbies.create({ projectId, queueId, playerId, state })
    // This is a separate call, so that the simulator counts the result of each call.
    world.call(node, 'enqueue', async ({ lobbies, matchmaking }) => {
      await lobbies.enqueue({ projectId, lobbyId, playerId })
      if (!world.loop) world.call(node, 'tick queue', () => matchmaking.runQueue(`${projectId}/${queueId}`))
    })
  })
}

const onMatch =
  (name: string, run: (matchyard: Matchyard, on: OnMatch, scene: Scene, match: Match) => Promise<unknown>): Act =>
  (scene) => {
    const { world, node, projectId } = scene
    const match = chooseMatch(scene)
    if (match === undefined) return
    world.call(node, name, (matchyard) => run(matchyard, { projectId, matchId: match.id }, scene, match))
  }

/** Actions of a studio's backend on queues and matches. */
export const matchActs = {
  'queue-patch': ({ world, node, projectId, command }) => {
    const changes = at(QUEUE_CHANGES, command.b) ?? {}
    const queueId = at(QUEUE_IDS, command.a) ?? 'duel'
    world.call(node, 'queue-patch', (matchyard) => matchyard.queues.update({ projectId, queueId, changes }))
  },
  assign: ({ world, node, projectId, now, command }) => {
    // Chooses in most cases a match that waits for its server; sometimes any match, which may have ended or may have a
    // launched server.
    const all = [...now.matches.values()]
    const waiting = all.filter(({ external, endedAt }) => external !== undefined && endedAt === null)
    const match = at(waiting.length > 0 && command.b % 6 !== 0 ? waiting : all, command.a)
    if (match === undefined) return
    const ports = [{ name: 'game', protocol: 'udp', port: 9_000 + (command.c % 2) }] as const
    world.call(node, 'assign', (matchyard) =>
      matchyard.matches.assign({ projectId, matchId: match.id, host: 'studio.example', ports }),
    )
  },
  backfill: (scene) => {
    const ask = onMatch('backfill', async (m, on, { command }, match) => {
      const asked = await m.matches.backfill({ ...on, ...wishOf(match, command) })
      newcomer(scene, match)
      return asked
    })
    const match = chooseMatch(scene)
    // If the match is full, a player leaves first, so that there is an open seat to ask for.
    const leaver = at(match?.teams.flatMap(playing) ?? [], scene.command.c)
    const isFull = match?.teams.every((team) => playing(team).length === team.players.length) === true
    if (match === undefined || leaver === undefined || !isFull || match.lobbyIds.length < 2) return ask(scene)
    const { world, node, projectId } = scene
    world.call(node, 'leave', async ({ lobbies }) => {
      await lobbies.leave({ projectId, ...leaver })
      ask(scene)
    })
  },
  'backfill-cancel': onMatch('backfill-cancel', (m, on) => m.matches.cancelBackfill(on)),
} satisfies Record<string, Act>
