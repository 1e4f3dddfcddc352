import type { GameServer, Matchyard } from '@matchyard/core'
import type { Snapshot } from '../invariants/snapshot'
import { type Act, at, regionAsked, type Scene } from './scene'

type OnServer = (matchyard: Matchyard, on: { projectId: string; instanceId: string }) => Promise<unknown>

const onServer =
  (name: string, run: OnServer, choose: (servers: readonly GameServer[], scene: Scene) => readonly GameServer[]): Act =>
  (scene) => {
    const { world, node, projectId, now, command } = scene
    const server = at(choose([...now.servers.values()], scene), command.a)
    if (server === undefined) return
    world.call(node, name, (matchyard) => run(matchyard, { projectId, instanceId: server.id }))
  }

const anyOf = (servers: readonly GameServer[]) => servers.slice(0, 6)
/**
 * Returns the running servers in most cases, because they can be restarted and only a few servers run at a time;
 * otherwise all servers.
 */
const mostlyRunning = (servers: readonly GameServer[], { command }: Scene) => {
  const running = servers.filter(({ status }) => status === 'running')
  return command.b % 4 === 0 || running.length === 0 ? anyOf(servers) : running
}

/** Returns an action on a running process. */
const onProcess =
  (run: (scene: Scene, running: Snapshot['alive'][number]) => void): Act =>
  (scene) => {
    const running = at(scene.now.alive, scene.command.a)
    if (running !== undefined) run(scene, running)
  }

/** A game server reports that it accepts players, although the orchestrator may not observe this. */
const saysReady: Act = (scene) =>
  onProcess(({ world, node, projectId }, { nodeId, process }) => {
    const { instanceId, attempt } = process
    const real = world.machines
      .get(nodeId)
      ?.alive.find((one) => one.instanceId === instanceId && one.attempt === attempt)
    if (real === undefined) return
    world.call(node, 'selfReady', async ({ servers }) => {
      if (real.ownWord === 'none') real.ownWord = 'said'
      await servers.selfReady({ projectId, instanceId, attempt })
      real.ownWord = 'heard'
    })
  })(scene)

const self =
  (name: 'selfShutdown' | 'selfClose'): Act =>
  (scene) =>
    onProcess(({ world, node, projectId }, { process }) => {
      const { instanceId, attempt } = process
      world.call(node, name, (matchyard) => matchyard.servers[name]({ projectId, instanceId, attempt }))
    })(scene)

/** A game server reports that a player has left; in most cases a player of the server's match. */
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

/** Actions of players and backends on game servers, and actions of game servers. */
export const serverActs = {
  'server-create': (scene) => {
    const { world, node, projectId, command } = scene
    const networkPorts = [{ name: 'game', protocol: 'udp', internalPort: 7_000, tlsEnabled: false }] as const
    const ttlSeconds = command.b % 2 === 0 ? 60 : undefined
    world.call(node, 'server-create', (matchyard) =>
      matchyard.servers.create({
        projectId,
        versionTag: 'arena',
        networkPorts,
        ttlSeconds,
        ...regionAsked(scene),
        autoRestart: command.c % 2 === 0,
      }),
    )
  },
  'server-stop': onServer('server-stop', (m, on) => m.servers.stop(on), anyOf),
  'server-restart': onServer('server-restart', (m, on) => m.servers.restart(on), mostlyRunning),
  'process-ready': saysReady,
  'process-shutdown': self('selfShutdown'),
  'process-misses-a-player': missesAPlayer,
  'process-closes': self('selfClose'),
  'machine-full': ({ world, command, now }) => {
    const machine = at([...world.machines.values()], command.b)
    machine?.fill(now.at + (at([0, 0, 3_000, 20_000, 60_000, 150_000], command.a) ?? 0))
  },
  'process-exit': exits(0),
  'process-crash': exits(3),
} satisfies Record<string, Act>
