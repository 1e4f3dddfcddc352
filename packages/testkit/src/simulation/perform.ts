import type { BackfillWish, Lobby, Match, Matchyard } from '@matchyard/core'
import { proposalOf, takesNewcomers } from '@matchyard/core/domain'
import type { Command } from './commands'
import type { Snapshot } from './invariants/snapshot'
import type { SimulatedNode } from './node'
import { PLAYERS, QUEUE_CHANGES, QUEUE_IDS } from './place'
import { newWatcher, take, type Watcher } from './watcher'
import type { World } from './world'

const MODES = ['ctf', 'koth']
const at = <T>(items: readonly T[], index: number): T | undefined => items[index % Math.max(1, items.length)]

/** Who acts, on what: chosen by the command among what there is now. */
interface Scene {
  readonly world: World
  readonly command: Command
  readonly node: SimulatedNode
  readonly projectId: string
  readonly lobby: Lobby | undefined
  /** The host mostly, sometimes anybody. */
  readonly actor: string
  readonly somebody: string
  readonly now: Snapshot
}

type Act = (scene: Scene) => void
type OnMatch = { readonly projectId: string; readonly matchId: string }

/** Starts a command; what it leads to goes on in later turns. */
export function perform(world: World, command: Command, now: Snapshot): void {
  const node = at(world.nodes, command.node)
  if (node === undefined || (world.loop && TICKS.includes(command.kind))) return
  const lobby = chooseLobby(command, [...now.lobbies.values()])
  const somebody = at(PLAYERS, command.b) ?? 'ann'
  const actor = lobby === undefined || command.c % 5 === 0 ? somebody : lobby.hostPlayerId
  ACTS[command.kind]({ world, command, node, projectId: now.place.projectId, lobby, actor, somebody, now })
}

/** What a node with a loop does by itself. */
const TICKS: readonly Command['kind'][] = ['run-queue', 'run-jobs', 'reconcile']

/** The status in which a command does something. */
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

/** What is about a proposal, mostly where there is one. */
const ASKS: readonly Command['kind'][] = ['accept', 'decline']

/** Mostly a lobby that the command fits, sometimes any. */
function chooseLobby({ kind, a, b }: Command, lobbies: readonly Lobby[]): Lobby | undefined {
  const held = ASKS.includes(kind) ? lobbies.filter((lobby) => proposalOf(lobby) !== undefined) : []
  if (held.length > 0) return at(held, a)
  const fitting = lobbies.filter((lobby) => FITTING[kind]?.includes(lobby.status) ?? true)
  return at(fitting.length > 0 && b % 6 !== 0 ? fitting : lobbies, a)
}

const stateOf = ({ command }: Scene) => ({ mmr: (command.c % 4) * 60, mode: at(MODES, command.c) ?? 'ctf' })
const queueOf = ({ command }: Scene) =>
  at(['duel', 'duel', 'hardy', 'hardy', 'squads', 'asked', 'asked', 'asked'], command.a) ?? 'duel'

/** A call about a lobby, by its actor. */
const onLobby =
  (
    name: string,
    run: (
      matchyard: Matchyard,
      on: { projectId: string; lobbyId: string; playerId: string },
      scene: Scene,
    ) => Promise<unknown>,
  ): Act =>
  (scene) => {
    const { world, node, projectId, lobby, actor } = scene
    if (lobby === undefined) return
    world.call(node, name, async (matchyard) => {
      const answer = await run(matchyard, { projectId, lobbyId: lobby.id, playerId: actor }, scene)
      if (isLobby(answer)) world.answered(answer)
    })
  }

const isLobby = (answer: unknown): answer is Lobby =>
  typeof answer === 'object' && answer !== null && 'hostPlayerId' in answer && 'version' in answer

const bySomebody =
  (run: Parameters<typeof onLobby>[1]): Parameters<typeof onLobby>[1] =>
  (matchyard, on, scene) =>
    run(matchyard, { ...on, playerId: scene.somebody }, scene)

const onServer =
  (name: string, run: (matchyard: Matchyard, on: { projectId: string; instanceId: string }) => Promise<unknown>): Act =>
  ({ world, node, projectId, now, command }) => {
    const server = at([...now.servers.values()].slice(0, 6), command.a)
    if (server === undefined) return
    world.call(node, name, (matchyard) => run(matchyard, { projectId, instanceId: server.id }))
  }

/** Something that a process does of its own accord. */
const onProcess =
  (run: (scene: Scene, running: Snapshot['alive'][number]) => void): Act =>
  (scene) => {
    const running = at(scene.now.alive, scene.command.a)
    if (running !== undefined) run(scene, running)
  }

/** A match, mostly one that runs. */
function chooseMatch({ now, command }: Scene): Match | undefined {
  const all = [...now.matches.values()]
  const running = all.filter(takesNewcomers)
  return at(running.length > 0 && command.b % 8 !== 0 ? running : all, command.a)
}

/** What a backend asks for: mostly all that is open, sometimes a seat that may not be, sometimes by other states than before. */
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

/** Mostly somebody comes who would suit those who play. */
function newcomer({ world, node, projectId, command }: Scene, match: Match): void {
  const { queueId } = match
  const playerId = at(PLAYERS, command.a + command.c) ?? 'ann'
  const state = at(match.teams.flatMap(playing), command.a)?.state
  if (state === undefined || command.c % 5 === 0) return
  world.call(node, 'create', async ({ lobbies }) => {
    const { id: lobbyId } = await lobbies.create({ projectId, queueId, playerId, state })
    await lobbies.enqueue({ projectId, lobbyId, playerId })
    if (!world.loop) {
      world.call(node, 'tick queue', ({ matchmaking }) => matchmaking.runQueue(`${projectId}/${queueId}`))
    }
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

const self =
  (name: 'selfReady' | 'selfShutdown' | 'selfClose'): Act =>
  (scene) =>
    onProcess(({ world, node, projectId }, { process }) => {
      const { instanceId, attempt } = process
      world.call(node, name, (matchyard) => matchyard.servers[name]({ projectId, instanceId, attempt }))
    })(scene)

/** The game says that somebody has left it: mostly one who plays there. */
const missesAPlayer: Act = (scene) =>
  onProcess(({ world, node, projectId, now, somebody, command }, { process }) => {
    const { instanceId, attempt } = process
    const match = now.matches.get(now.servers.get(instanceId)?.matchId ?? '')
    const players = match?.teams.flatMap((team) => team.players) ?? []
    const playerId = at(players, command.b)?.playerId ?? somebody
    world.call(node, 'player-left', ({ servers }) =>
      servers.selfPlayerLeft({ projectId, instanceId, attempt, playerId }),
    )
  })(scene)

const exits = (code: number): Act =>
  onProcess(({ world, now }, { nodeId, process }) => {
    const machine = world.machines.get(nodeId)
    const real = machine?.alive.find((one) => one.instanceId === process.instanceId && one.attempt === process.attempt)
    if (machine !== undefined && real !== undefined) machine.exit(real, code, now.at)
  })

const ACTS: Readonly<Record<Command['kind'], Act>> = {
  create: (scene) => {
    const { world, node, projectId, somebody, command } = scene
    const queueId = queueOf(scene)
    const isPrivate = command.c % 4 === 0
    world.call(node, 'create', async (matchyard) => {
      const input = { projectId, queueId, playerId: somebody, isPrivate, state: stateOf(scene) }
      const lobby = await matchyard.lobbies.create(input)
      world.answered(lobby)
      // Most players are here to play.
      if (command.c % 3 === 0) return
      world.call(node, 'enqueue', async ({ lobbies }) =>
        world.answered(await lobbies.enqueue({ projectId, lobbyId: lobby.id, playerId: somebody })),
      )
    })
  },
  join: onLobby(
    'join',
    bySomebody((m, on, scene) => m.lobbies.join({ ...on, state: stateOf(scene) })),
  ),
  'join-by-code': onLobby('join-by-code', (m, { projectId }, { lobby, somebody }) =>
    m.lobbies.joinByCode({ projectId, playerId: somebody, inviteCode: lobby?.inviteCode?.toLowerCase() ?? 'NONE' }),
  ),
  'quick-join': ({ world, node, projectId, somebody, command }) => {
    // Few filters, so that many ask for the same at once, some of them twice.
    const filter = command.c % 3 === 0 ? {} : { mode: at(MODES, command.c) ?? 'ctf' }
    for (const playerId of [somebody, at(PLAYERS, command.b + 1) ?? 'ann', somebody].slice(0, 1 + (command.c % 3))) {
      world.call(node, 'quick-join', async ({ lobbies }) => {
        const joined = await lobbies.quickJoin({ projectId, queueId: 'squads', playerId, filter })
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
    const target = at(scene.lobby?.players ?? [], scene.command.b)?.playerId ?? 'ann'
    const { lobby } = await m.lobbies.updatePlayer({ ...on, targetPlayerId: target, state: stateOf(scene) })
    return lobby
  }),
  enqueue: onLobby('enqueue', (m, on) => m.lobbies.enqueue(on)),
  cancel: onLobby('cancel', (m, on) => m.lobbies.cancelMatchmaking(on)),
  /** Two who enter the queue that asks: there is mostly a proposal soon. */
  'seek-pair': (scene) => {
    const { world, node, projectId, command } = scene
    for (const playerId of [at(PLAYERS, command.b) ?? 'ann', at(PLAYERS, command.b + 1) ?? 'bob']) {
      world.call(node, 'create', async (matchyard) => {
        const lobby = await matchyard.lobbies.create({ projectId, queueId: 'asked', playerId, state: stateOf(scene) })
        world.answered(lobby)
        const on = { projectId, lobbyId: lobby.id, playerId }
        world.call(node, 'enqueue', async ({ lobbies }) => world.answered(await lobbies.enqueue(on)))
      })
    }
  },
  accept: (scene) => {
    const { world, node, projectId, lobby, command, now } = scene
    const held = lobby && proposalOf(lobby)
    // Mostly everybody who is asked about the match, sometimes one of them alone, sometimes somebody who is not asked.
    const asked = [...now.lobbies.values()].filter(
      (one) => held !== undefined && proposalOf(one)?.matchId === held.matchId,
    )
    const all = (asked.length > 0 ? asked : lobby === undefined ? [] : [lobby]).flatMap(({ id, players }) =>
      players.map(({ playerId }) => ({ lobbyId: id, playerId })),
    )
    for (const who of command.c % 4 === 0 ? all.slice(0, 1) : all) {
      world.call(node, 'accept', async ({ lobbies }) => world.answered(await lobbies.accept({ projectId, ...who })))
    }
  },
  decline: onLobby('decline', (m, on, { lobby, command }) =>
    m.lobbies.decline({ ...on, playerId: at(lobby?.players ?? [], command.b)?.playerId ?? 'ann' }),
  ),
  start: onLobby('start', (m, on) => m.lobbies.start(on)),
  end: onLobby('end', (m, on, { command }) => m.lobbies.end({ ...on, backend: command.c % 2 === 0 })),
  delete: onLobby('delete', (m, on) => m.lobbies.delete({ ...on, backend: false })),
  heartbeat: onLobby('heartbeat', (m, on) => m.lobbies.heartbeat(on)),
  watch: ({ world, node, lobby, command }) => {
    const member = at(lobby?.players ?? [], command.b)
    if (lobby === undefined || member === undefined) return
    const watcher = newWatcher(lobby.id, member.playerId)
    world.watchers.push(watcher)
    watch(world, node, watcher)
  },
  'queue-patch': ({ world, node, projectId, command }) => {
    const changes = at(QUEUE_CHANGES, command.b) ?? {}
    const queueId = at(QUEUE_IDS, command.a) ?? 'duel'
    world.call(node, 'queue-patch', (matchyard) => matchyard.queues.update({ projectId, queueId, changes }))
  },
  assign: ({ world, node, projectId, now, command }) => {
    // Mostly one that waits for it, sometimes any: it may be over, or be launched from a build.
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
    onMatch('backfill', async (m, on, { command }, match) => {
      // Of a full match somebody leaves first, so that there is something to ask for.
      const leaver = at(match.teams.flatMap(playing), command.c)
      const isFull = match.teams.every((team) => playing(team).length === team.players.length)
      if (leaver !== undefined && isFull && match.lobbyIds.length > 1) await m.lobbies.leave({ ...on, ...leaver })
      const asked = await m.matches.backfill({ ...on, ...wishOf(match, command) })
      newcomer(scene, match)
      return asked
    })(scene)
  },
  'backfill-cancel': onMatch('backfill-cancel', (m, on) => m.matches.cancelBackfill(on)),
  'server-create': ({ world, node, projectId, command }) => {
    const networkPorts = [{ name: 'game', protocol: 'udp', internalPort: 7_000, tlsEnabled: false }] as const
    const ttlSeconds = command.b % 2 === 0 ? 60 : undefined
    world.call(node, 'server-create', (matchyard) =>
      matchyard.servers.create({
        projectId,
        versionTag: 'arena',
        networkPorts,
        ttlSeconds,
        autoRestart: command.c % 2 === 0,
      }),
    )
  },
  'server-stop': onServer('server-stop', (m, on) => m.servers.stop(on)),
  'server-restart': onServer('server-restart', (m, on) => m.servers.restart(on)),
  'process-ready': self('selfReady'),
  'process-shutdown': self('selfShutdown'),
  'process-misses-a-player': missesAPlayer,
  'process-closes': self('selfClose'),
  'process-exit': exits(0),
  'process-crash': exits(3),
  'run-queue': ({ world, node, now }) => {
    for (const key of now.place.queueKeys) {
      world.call(node, 'tick queue', (matchyard) => matchyard.matchmaking.runQueue(key))
    }
  },
  'run-jobs': ({ world, node }) => world.call(node, 'tick jobs', (matchyard) => matchyard.worker.runDueJobs()),
  reconcile: ({ world, node }) => {
    world.call(node, 'tick servers', (matchyard) => matchyard.worker.reconcileServers())
    world.call(node, 'tick presence', (matchyard) => matchyard.worker.notePresence())
    world.call(node, 'tick nodes', (matchyard) => matchyard.worker.watchNodes())
  },
  wait: ({ world, command }) => world.passTime(at([50, 300, 1_000, 1_000, 3_000, 6_000], command.a) ?? 50),
  'wait-long': ({ world, command }) => world.passTime(at([15_000, 30_000, 70_000, 7_200_000], command.a) ?? 15_000),
  fault: ({ world, node, command }) => {
    if (command.fault !== undefined) world.faults.arm(command.fault, node.id)
  },
  crash: ({ world, node }) => world.crash(node.id),
  'storage-goes-back': ({ world, command }) => world.goBack(command.a),
  'node-gone': ({ world, node }) => world.lose(node.id),
}

/** Opens or resumes a stream on a node and reads it until it breaks or is over. */
export function watch(world: World, node: SimulatedNode, watcher: Watcher): void {
  if (!node.serving || watcher.over) return
  watcher.nodeId = node.id
  const { lobbyId, playerId } = watcher
  const lastEventId = watcher.lastId === undefined ? undefined : String(watcher.lastId)
  world.call(node, 'watch', async (matchyard) => {
    try {
      const input = { projectId: world.place.projectId, lobbyId, playerId, lastEventId, backend: false }
      const stream = await matchyard.lobbies.watch(input)
      for (let message = await stream.next(); message !== undefined; message = await stream.next())
        take(watcher, message, world.clock.now())
    } finally {
      if (watcher.nodeId === node.id) watcher.nodeId = undefined
    }
  })
}
