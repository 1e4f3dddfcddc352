import { type Lobby, START_TEAMS } from '@matchyard/core'
import { GUESTS } from '../guests'
import { PLAYERS, QUEUE_IDS } from '../place'
import { newWatcher } from '../watcher'
import { type Act, at, bySomebody, MODES, onLobby, queueOf, regionAsked, type Scene } from './scene'
import { follow, watch } from './watch'
import { inWords } from './words'

/**
 * Returns a player for a command to ban: in most cases a member of the lobby, sometimes any player, sometimes a guest.
 */
const barred = ({ lobby, command }: Scene): string =>
  at(command.c % 3 === 0 ? [...PLAYERS, ...GUESTS] : playersOf(lobby), command.b) ?? 'ann'

const playersOf = (lobby: Lobby | undefined): readonly string[] => lobby?.players.map(({ playerId }) => playerId) ?? []

/** Actions of players on lobbies. */
export const lobbyActs = {
  create: (scene) => {
    const { world, node, projectId, somebody, command } = scene
    const queueId = queueOf(scene)
    const isPrivate = command.c % 4 === 0
    world.call(node, 'create', async (matchyard) => {
      const input = { projectId, queueId, playerId: somebody, isPrivate, ...regionAsked(scene) }
      const lobby = await inWords(scene, matchyard, input, (said) => matchyard.lobbies.create({ ...input, ...said }))
      world.answered(lobby)
      // In two of three cases, the lobby enters a queue at once, because most players want to play at once.
      if (command.c % 3 === 0) return
      world.call(node, 'enqueue', async ({ lobbies }) =>
        world.answered(await lobbies.enqueue({ projectId, lobbyId: lobby.id, playerId: somebody })),
      )
    })
  },
  join: onLobby(
    'join',
    bySomebody((m, on, scene) => inWords(scene, m, on, (said) => m.lobbies.join({ ...on, ...said }))),
  ),
  'join-by-code': onLobby('join-by-code', (m, { projectId }, scene) => {
    const { lobby, somebody } = scene
    const come = { projectId, playerId: somebody, inviteCode: lobby?.inviteCode?.toLowerCase() ?? 'NONE' }
    return inWords(scene, m, come, (said) => m.lobbies.joinByCode({ ...come, ...said }))
  }),
  'quick-join': (scene) => {
    const { world, node, projectId, somebody, command } = scene
    // There are only a few filters, so that many players search with the same filter at the same time, and some of them
    // search twice.
    const filter = command.c % 3 === 0 ? {} : { mode: at(MODES, command.c) ?? 'ctf' }
    for (const playerId of [somebody, at(PLAYERS, command.b + 1) ?? 'ann', somebody].slice(0, 1 + (command.c % 3))) {
      world.call(node, 'quick-join', async (m) => {
        const come = { projectId, queueId: 'squads', playerId, filter }
        const joined = await inWords(scene, m, come, (said) => m.lobbies.quickJoin({ ...come, ...said }))
        world.answered(joined.lobby)
      })
    }
  },
  leave: onLobby('leave', (m, on, { lobby, command }) =>
    m.lobbies.leave({ ...on, playerId: at(lobby?.players ?? [], command.b)?.playerId ?? 'ann' }),
  ),
  kick: onLobby('kick', (m, on, { lobby, command }) =>
    m.lobbies.removePlayer({ ...on, targetPlayerId: at(lobby?.players ?? [], command.b)?.playerId ?? 'ann' }),
  ),
  ban: (scene) => {
    const { guests } = scene.world
    const targetPlayerId = barred(scene)
    // After the erasure of a player has begun, no call names that player.
    if (!guests.mayCome(targetPlayerId)) return
    onLobby('ban', (m, on, { command }) =>
      guests.does(targetPlayerId, () => m.lobbies.banPlayer({ ...on, backend: command.c % 4 === 0, targetPlayerId })),
    )(scene)
  },
  unban: onLobby('unban', (m, on, { lobby, command }) =>
    m.lobbies.unbanPlayer({
      ...on,
      backend: command.c % 4 === 0,
      targetPlayerId: at(lobby?.banned ?? [], command.b) ?? 'ann',
    }),
  ),
  'renew-code': onLobby('renew-code', (m, on) => m.lobbies.renewInviteCode({ ...on, backend: false })),
  settings: onLobby('settings', (m, on, { command }) =>
    m.lobbies.updateSettings({
      ...on,
      changes: { name: `name ${command.b % 3}`, isPrivate: command.c % 2 === 0, maxPlayers: 1 + (command.c % 3) },
    }),
  ),
  'move-queue': onLobby('move-queue', (m, on, { command }) =>
    m.lobbies.updateSettings({ ...on, changes: { queueId: at(QUEUE_IDS, command.c) ?? 'duel', maxPlayers: 2 } }),
  ),
  state: onLobby('state', async (m, on, scene) => {
    const { lobby: known, command } = scene
    const targetPlayerId = at(known?.players ?? [], command.b)?.playerId ?? 'ann'
    const change = { ...on, targetPlayerId, merge: command.c % 3 > 0 }
    const speaks = { playerId: on.playerId, about: targetPlayerId }
    const { lobby } = await inWords(scene, m, speaks, (said) => m.lobbies.updatePlayer({ ...change, ...said }))
    return lobby
  }),
  enqueue: onLobby('enqueue', (m, on) => m.lobbies.enqueue(on)),
  cancel: onLobby('cancel', (m, on) => m.lobbies.cancelMatchmaking(on)),
  start: onLobby('start', (m, on, { command }) => m.lobbies.start({ ...on, teams: at(START_TEAMS, command.c) })),
  end: onLobby('end', (m, on, { command }) => m.lobbies.end({ ...on, backend: command.c % 2 === 0 })),
  delete: onLobby('delete', (m, on) => m.lobbies.delete({ ...on, backend: false })),
  heartbeat: onLobby('heartbeat', (m, on) => m.lobbies.heartbeat(on)),
  watch: ({ world, node, lobby, command }) => {
    if (command.c % 2 === 0) follow(world, node)
    const member = at(lobby?.players ?? [], command.b)
    if (lobby === undefined || member === undefined) return
    const watcher = newWatcher(lobby.id, member.playerId)
    world.watchers.push(watcher)
    watch(world, node, watcher)
  },
} satisfies Record<string, Act>
