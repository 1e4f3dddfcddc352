import type { Matchyard } from '@matchyard/core'
import { Machine } from '@matchyard/testkit/simulation'
import { describe, expect, it } from 'vitest'
import { type Service, service } from './service'

/** Milliseconds between checks: a sixth of the default after which a silent node is lost. */
const LOOK_MS = 5_000

/** Lets `count` checks pass on these nodes; the other nodes are silent. */
async function looks({ clock }: Service, nodes: readonly Matchyard[], count: number): Promise<void> {
  for (let look = 0; look < count; look++) {
    for (const node of nodes) await node.worker.watchNodes()
    clock.advance(LOOK_MS)
  }
}

/** Returns a lobby in a game on a server of the first node, and a second node. */
async function inGame() {
  const given = await service()
  const { matchyard, projectId, clock } = given
  const server = { versionTag: 'arena', autoRestart: true }
  await matchyard.queues.create({ projectId, queueId: 'duel', name: 'Duel', serverSettings: server })
  const { id: lobbyId } = await matchyard.lobbies.create({ projectId, playerId: 'ann', queueId: 'duel' })
  await matchyard.lobbies.start({ projectId, lobbyId, playerId: 'ann' })
  await matchyard.worker.runDueJobs()
  clock.advance(1_000)
  await matchyard.worker.reconcileServers()
  const lastSeenAt = clock.now()
  const other = await given.another({ nodeId: 'other', machine: new Machine('host-2') })
  const lobby = () => other.matchyard.lobbies.get({ projectId, lobbyId, backend: true })
  const instanceId = (await lobby()).server?.instanceId ?? ''
  const serverNow = () => other.matchyard.servers.get({ projectId, instanceId })
  expect(await lobby()).toMatchObject({ status: 'in_game' })
  return { ...given, other: other.matchyard, lobby, server: serverNow, instanceId, lastSeenAt }
}

describe('a node that is gone', () => {
  it('has its servers ended as lost when they were last seen, and their lobbies are waiting again', async () => {
    const given = await inGame()
    await given.matchyard.worker.watchNodes()
    await looks(given, [given.other], 6)
    expect(await given.server()).toMatchObject({ status: 'running' })
    await looks(given, [given.other], 1)
    expect(await given.server()).toMatchObject({
      status: 'failed',
      stopReason: 'its node is gone',
      stoppedAt: given.lastSeenAt,
    })
    expect(await given.lobby()).toMatchObject({ status: 'waiting', server: null, matchId: null })
  })

  it('that comes back finds its process a stray and stops it', async () => {
    const given = await inGame()
    await looks(given, [given.other], 7)
    expect(given.machine.alive).toHaveLength(1)
    const back = await given.another({ nodeId: 'node' })
    await back.matchyard.worker.reconcileServers()
    given.clock.advance(20_000)
    await back.matchyard.worker.reconcileServers()
    expect(given.machine.alive).toEqual([])
    expect(await given.server()).toMatchObject({ status: 'failed', stopReason: 'its node is gone' })
  })

  it('does not keep a server stopping for ever', async () => {
    const given = await inGame()
    await given.other.servers.stop({ projectId: given.projectId, instanceId: given.instanceId })
    await looks(given, [given.other], 7)
    expect(await given.server()).toMatchObject({ status: 'stopped', stopReason: 'stopped by request' })
  })

  it('is ended by one of two that see it, and the other changes nothing', async () => {
    const given = await inGame()
    const third = await given.another({ nodeId: 'third', machine: new Machine('host-3') })
    await looks(given, [given.other, third.matchyard], 6)
    await Promise.all([given.other.worker.watchNodes(), third.matchyard.worker.watchNodes()])
    const { version } = await given.server()
    await looks(given, [given.other, third.matchyard], 2)
    expect(await given.server()).toMatchObject({ status: 'failed', version })
  })
})

describe('a node that said goodbye', () => {
  /** Starts and stops the first node, as at an update. */
  const goodbye = async ({ matchyard }: Awaited<ReturnType<typeof inGame>>) => {
    await matchyard.start()
    await matchyard.stop()
  }

  it('may be away for ten minutes before its servers are ended', async () => {
    const given = await inGame()
    await goodbye(given)
    await looks(given, [given.other], 120)
    expect(await given.server()).toMatchObject({ status: 'running' })
    await looks(given, [given.other], 1)
    expect(await given.server()).toMatchObject({ status: 'failed', stopReason: 'its node is gone' })
  })

  it('goes on with its servers when it is back in time', async () => {
    const given = await inGame()
    await goodbye(given)
    await looks(given, [given.other], 110)
    const back = await given.another({ nodeId: 'node' })
    await looks(given, [back.matchyard, given.other], 20)
    await back.matchyard.worker.reconcileServers()
    expect(await given.server()).toMatchObject({ status: 'running', nodeId: 'node' })
    // A crash after the return counts as a crash again.
    await looks(given, [given.other], 8)
    expect(await given.server()).toMatchObject({ status: 'failed', stopReason: 'its node is gone' })
  })

  it('leaves its launches to other nodes as a lost node does', async () => {
    const given = await inGame()
    const { projectId, matchyard, other } = given
    const { id: instanceId } = await matchyard.servers.create({ projectId, versionTag: 'arena' })
    await matchyard.worker.runDueJobs()
    expect(await other.servers.get({ projectId, instanceId })).toMatchObject({ status: 'launching', nodeId: 'node' })
    await goodbye(given)
    await looks(given, [other], 8)
    await other.worker.runDueJobs()
    expect(await other.servers.get({ projectId, instanceId })).toMatchObject({ status: 'launching', nodeId: 'other' })
    expect(await given.server()).toMatchObject({ status: 'running' })
  })
})

describe('a node that lives', () => {
  it('keeps its servers, however long', async () => {
    const given = await inGame()
    await looks(given, [given.matchyard, given.other], 30)
    expect(await given.server()).toMatchObject({ status: 'running' })
  })

  it('keeps its servers though another node did not look for a long time', async () => {
    const given = await inGame()
    await looks(given, [given.other], 5)
    given.clock.advance(3_600_000)
    await looks(given, [given.other], 6)
    expect(await given.server()).toMatchObject({ status: 'running' })
    await looks(given, [given.other], 1)
    expect(await given.server()).toMatchObject({ status: 'failed' })
  })

  it('does not end its own servers after an outage', async () => {
    const given = await inGame()
    given.clock.advance(3_600_000)
    const back = await given.another({ nodeId: 'node' })
    await looks(given, [back.matchyard], 10)
    expect(await given.server()).toMatchObject({ status: 'running' })
  })
})
