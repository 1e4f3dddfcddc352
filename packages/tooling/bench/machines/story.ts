import { setTimeout as wait } from 'node:timers/promises'
import type { MachineState, MachineStatus } from '@matchyard/core'
import { eventually } from '../../src/eventually'
import { killProcessesOf } from '../../src/game-processes'
import type { Crowd } from './crowd'
import { AWAY_SECONDS, type Ground } from './ground'

/** Matches that run on a machine while something happens to it. */
const LONG = 4
const SOON_MS = 120_000
/** A pause of a machine lasts a minute, and the next launch on it ends the pause in its record. */
const PAUSE_MS = 240_000

interface Scene {
  readonly ground: Ground
  readonly crowd: Crowd
}

const id = (machine: number) => `node-${machine}`

async function become(
  { ground }: Scene,
  machine: number,
  status: MachineStatus,
  withinMs = SOON_MS,
): Promise<MachineState> {
  const all = await eventually(
    () => ground.machines.list({}),
    (list) => list.find((one) => one.id === id(machine))?.status === status,
    withinMs,
  )
  return all.find((one) => one.id === id(machine)) as MachineState
}

/** Returns the servers that a machine got since an instant. */
const gotSince = async ({ ground }: Scene, machine: number, at: number) =>
  (await ground.servers()).filter(({ nodeId, createdAt }) => nodeId === id(machine) && createdAt >= at)

async function getsServers(scene: Scene, machine: number): Promise<string> {
  const at = Date.now()
  await eventually(
    () => gotSince(scene, machine, at),
    (got) => got.some(({ status }) => status === 'running' || status === 'stopped'),
    SOON_MS,
  )
  return `${id(machine)} got servers again after ${((Date.now() - at) / 1_000).toFixed(1)} s`
}

/** Runs `act` while a machine takes no servers, because the emptier machine of a region would get all of them. */
async function insteadOf<T>({ ground }: Scene, machine: number, act: () => Promise<T>): Promise<T> {
  await ground.machines.cordon({ machineId: id(machine) })
  try {
    return await act()
  } finally {
    await ground.machines.uncordon({ machineId: id(machine) })
  }
}

/** Fails when one of these servers has ended. */
async function stillRun({ ground }: Scene, servers: readonly string[]): Promise<string> {
  const ended = (await ground.servers()).filter((one) => servers.includes(one.id) && one.status !== 'running')
  if (ended.length > 0) throw new Error(`lost: ${ended.map((one) => `${one.id} (${one.stopReason})`).join()}`)
  return `${servers.length} matches ran on`
}

async function added(scene: Scene): Promise<string> {
  await scene.ground.cluster.add()
  return getsServers(scene, 2)
}

async function cordoned(scene: Scene): Promise<string> {
  await scene.ground.machines.cordon({ machineId: id(2) })
  const at = Date.now()
  await wait(10_000)
  const got = (await gotSince(scene, 2, at)).length
  if (got > 0) throw new Error(`a cordoned machine got ${got} servers`)
  await scene.ground.machines.uncordon({ machineId: id(2) })
  return `no server in 10 s; ${await getsServers(scene, 2)}`
}

async function drained(scene: Scene): Promise<string> {
  const at = Date.now()
  await scene.ground.machines.drain({ machineId: id(2) })
  await become(scene, 2, 'drained')
  const seconds = ((Date.now() - at) / 1_000).toFixed(1)
  const left = (await scene.ground.servers()).filter((one) => one.nodeId === id(2) && one.status === 'running')
  if (left.length > 0) throw new Error(`a drained machine has ${left.length} servers`)
  await scene.ground.machines.uncordon({ machineId: id(2) })
  return `drained after ${seconds} s; ${await getsServers(scene, 2)}`
}

async function serviceKilled(scene: Scene): Promise<string> {
  const { cluster } = scene.ground
  const servers = await scene.crowd.beginLong(LONG, 'iad')
  await cluster.node(1).end('SIGKILL')
  await wait(1_000)
  await cluster.node(1).start()
  await getsServers(scene, 1)
  return stillRun(scene, servers)
}

/** A machine is away for longer than a machine that vanished may be, and its matches continue. */
async function away(scene: Scene): Promise<string> {
  const { cluster } = scene.ground
  await scene.ground.machines.cordon({ machineId: id(0) })
  await wait(1_500)
  const servers = await scene.crowd.beginLong(LONG, 'fra')
  await scene.ground.machines.uncordon({ machineId: id(0) })
  await cluster.node(2).end('SIGTERM')
  await wait(AWAY_SECONDS * 1_000)
  const meanwhile = await stillRun(scene, servers)
  await cluster.node(2).start()
  const again = await insteadOf(scene, 0, () => getsServers(scene, 2))
  await stillRun(scene, servers)
  // The node finds the end of a server only when it has adopted the server.
  const [one = ''] = servers
  killProcessesOf(one)
  await eventually(
    () => scene.ground.servers(),
    (all) => all.some((server) => server.id === one && server.status === 'failed'),
    SOON_MS,
  )
  return `away for ${AWAY_SECONDS} s: ${meanwhile}, and its node has them again (one was then killed: ${one}); ${again}`
}

async function diskFull(scene: Scene): Promise<string> {
  const servers = await scene.crowd.beginLong(LONG, 'fra')
  scene.ground.fillDisk()
  const { statusReason } = await become(scene, 0, 'cordoned')
  await stillRun(scene, servers)
  scene.ground.emptyDisk()
  await become(scene, 0, 'ready', PAUSE_MS)
  const again = await insteadOf(scene, 2, () => getsServers(scene, 0))
  return `paused: ${statusReason}; ${await stillRun(scene, servers)}; ${again}`
}

async function archiveMissing(scene: Scene): Promise<string> {
  const show = scene.ground.hideArchives(0)
  await scene.ground.upload()
  // A missing archive counts while another machine runs the build.
  await scene.crowd.beginLong(1, 'fra')
  const { statusReason } = await become(scene, 0, 'cordoned')
  show()
  await become(scene, 0, 'ready', PAUSE_MS)
  return `paused: ${statusReason}; ${await insteadOf(scene, 2, () => getsServers(scene, 0))}`
}

/** Checks a region without a machine: its lobbies have a warning, and its server waits for capacity and ends with the reason. */
async function unserved({ ground }: Scene): Promise<string> {
  const { cluster } = ground
  const node = cluster.nodes.find(({ isUp }) => isUp)
  const player = 'far-away'
  const body = { queue_id: 'short', state: { regions: ['ams'] } }
  const made = await node?.call({ method: 'POST', path: '/v1/lobbies', player, body })
  const path = `/v1/lobbies/${made?.body.lobby_id}`
  await node?.call({ method: 'POST', path: `${path}/queue`, player })
  const { warnings } = await ground.backend<{ warnings: string[] }>('GET', `${path}/queue`)
  if (warnings.join() !== 'no machine serves ams') throw new Error(`no warning: ${warnings.join()}`)
  const network_ports = [{ name: 'game', protocol: 'udp', internal_port: 7777 }]
  const asked = { version_tag: 'match', region: 'ams', network_ports }
  const { instance_id } = await ground.backend('POST', '/v1/servers', asked)
  const ended = await eventually(
    () => ground.backend('GET', `/v1/servers/${instance_id}`),
    ({ status }) => status === 'failed',
    120_000,
  )
  await node?.call({ method: 'DELETE', path, player })
  return `"${warnings.join()}"; its server ended: "${ended.stop_reason}"`
}

/** The service and all game servers of a machine are killed at once. Returns the matches that may be lost. */
async function machineKilled(scene: Scene): Promise<string> {
  const { cluster, networks } = scene.ground
  await scene.crowd.beginLong(LONG, 'fra')
  for (const pid of networks.processesOf(2)) process.kill(pid, 'SIGKILL')
  await cluster.node(2).end('SIGKILL')
  const at = Date.now()
  await become(scene, 2, 'lost')
  const live = async () =>
    (await scene.ground.servers()).filter((one) => one.nodeId === id(2) && one.status === 'running')
  await eventually(live, (left) => left.length === 0, SOON_MS)
  const ended = `its servers were ended after ${((Date.now() - at) / 1_000).toFixed(1)} s`
  await cluster.node(2).start()
  return `${ended}; ${await getsServers(scene, 2)}`
}

/** The machine whose matches may be lost. */
export const LOST_MACHINE = id(2)

/** Events, in order, each with the share of the matches after which it happens. */
export const STORY: Readonly<
  Record<string, { readonly after: number; readonly act: (scene: Scene) => Promise<string> }>
> = {
  'a machine joins': { after: 0.03, act: added },
  'a region without a machine': { after: 0.06, act: unserved },
  'a machine is cordoned': { after: 0.1, act: cordoned },
  'a machine is drained': { after: 0.15, act: drained },
  'the service of a machine is killed': { after: 0.2, act: serviceKilled },
  'a machine is away and comes back': { after: 0.3, act: away },
  'the disk of a machine is full': { after: 0.4, act: diskFull },
  'a machine lacks the archive': { after: 0.55, act: archiveMissing },
  'a machine is killed': { after: 0.7, act: machineKilled },
}
