import { createMatchyard, type Matchyard } from '@matchyard/core'
import type { Peers } from '@matchyard/core/ports'
import { emptyMemoryData, memoryStorage } from '@matchyard/storage-memory'
import { FakeBuildStore, FakeClock, FakeOrchestrator, fakePlatform } from '@matchyard/testkit'
import { expect, test } from 'vitest'
import { settled } from '../use-cases/service'

/** Returns three nodes on one storage and one clock, with a running server of a project. */
async function threeNodes() {
  const clock = new FakeClock()
  const data = emptyMemoryData()
  const buildStore = new FakeBuildStore()
  const orchestrator = new FakeOrchestrator(clock)
  let first: Matchyard | undefined
  const logs: Peers['logs'] = (_, query) => first?.answerPeer(query) ?? Promise.reject(new Error('no first node'))
  const node = async (seed: number): Promise<Matchyard> => {
    const storage = memoryStorage({ data })
    const peers = { url: `http://node_${seed}`, logs }
    const given = { ...fakePlatform({ clock, seed }), storage, orchestrator, buildStore, nodeId: `node_${seed}`, peers }
    const matchyard = createMatchyard(given)
    await matchyard.open()
    return matchyard
  }
  const nodes = [await node(1), await node(2), await node(3)] as const
  first = nodes[0]
  const { id: projectId, accountId } = await first.projects.ensure({ name: 'arena' })
  await first.builds.registerImage({ projectId, name: 'arena', imageUrl: 'games/arena:1' })
  await first.worker.runDueJobs()
  const { id: instanceId } = await first.servers.create({ projectId, versionTag: 'arena' })
  await first.worker.runDueJobs()
  await first.worker.reconcileServers()
  await first.worker.watchNodes()
  await first.queues.create({ projectId, queueId: 'duel', name: 'Duel' })
  const lobby = await first.lobbies.create({ projectId, queueId: 'duel', playerId: 'ann' })
  return { clock, nodes, owner: { projectId, accountId }, instanceId, lobbyId: lobby.id }
}

/** Adds a member with a session and a server key. */
async function memberOn(matchyard: Matchyard, owner: { readonly projectId: string; readonly accountId: string }) {
  const { token } = await matchyard.members.invite({ ...owner, role: 'developer' })
  const account = { email: 'eve@example.com', password: 'long enough', name: 'Eve' }
  const { accountId, session } = await matchyard.members.joinAnew({ token: token ?? '', ...account })
  const { key, value } = await matchyard.keys.mint({ ...owner, personId: accountId, type: 'server' })
  return { accountId, session: session.token, keyId: key.id, key: value ?? '' }
}

type Stream = { next(): Promise<unknown> }

/** Reads a stream to its end. Resolves when it has ended. */
const ended = async (stream: Stream): Promise<true> => {
  while ((await stream.next()) !== undefined);
  return true
}

const isOver = async (end: Promise<true>): Promise<boolean> => Promise.race([end, settled().then(() => false)])

async function openOn(
  matchyard: Matchyard,
  { owner, instanceId, lobbyId }: Awaited<ReturnType<typeof threeNodes>>,
  eve: Awaited<ReturnType<typeof memberOn>>,
) {
  const { projectId } = owner
  const { keyId } = eve
  const caller = await matchyard.access.authenticateSession(eve.session)
  const log = { ...matchyard.access.ownerOf('servers.logs', caller), instanceId }
  return {
    'feed of the key': ended(await matchyard.feed(projectId, { keyId })),
    'lobby stream of the key': ended(
      await matchyard.lobbies.watch({ projectId, lobbyId, playerId: 'ann', backend: true, keyId }),
    ),
    'log of the key': ended(await matchyard.servers.followLogs({ projectId, instanceId, keyId })),
    'log of the session': ended(await matchyard.servers.followLogs(log)),
  }
}

test('a removal on one node ends sessions, keys and streams on three nodes within a second', async () => {
  const stage = await threeNodes()
  const { clock, nodes, owner } = stage
  const eve = await memberOn(nodes[0], owner)
  const open = await Promise.all(nodes.map((node) => openOn(node, stage, eve)))
  const ofOwner = ended(await nodes[1].feed(owner.projectId))
  await settled()
  for (const streams of open) {
    for (const [name, end] of Object.entries(streams)) expect(await isOver(end), name).toBe(false)
  }
  await nodes[0].members.remove({ ...owner, memberAccountId: eve.accountId })
  // No time passes: calls that start after the removal are refused on every node.
  for (const node of nodes) {
    await expect(node.access.authenticateKey(eve.key)).rejects.toMatchObject({ code: 'INVALID_API_KEY' })
    expect((await node.access.authenticateSession(eve.session)).grants).toEqual([])
  }
  clock.advance(1_000)
  for (let round = 0; round < 20; round++) await settled()
  for (const streams of open) {
    for (const [name, end] of Object.entries(streams)) expect(await isOver(end), name).toBe(true)
  }
  expect(await isOver(ofOwner)).toBe(false)
  for (const node of nodes) await node.stop()
})

test('a member who was removed before a log stream took its place opens no stream', async () => {
  const stage = await threeNodes()
  const { nodes, owner, instanceId } = stage
  const eve = await memberOn(nodes[0], owner)
  const caller = await nodes[1].access.authenticateSession(eve.session)
  await nodes[0].members.remove({ ...owner, memberAccountId: eve.accountId })
  const log = { ...nodes[1].access.ownerOf('servers.logs', caller), instanceId }
  await expect(nodes[1].servers.followLogs(log)).rejects.toMatchObject({ code: 'SERVER_NOT_FOUND' })
  expect(nodes[1].openStreams()).toBe(0)
  for (const node of nodes) await node.stop()
})

test('the streams of a member end when the account of the member is disabled', async () => {
  const stage = await threeNodes()
  const { nodes, owner } = stage
  const eve = await memberOn(nodes[0], owner)
  const streams = await openOn(nodes[1], stage, eve)
  await nodes[0].accounts.disable({ accountId: eve.accountId })
  for (let round = 0; round < 20; round++) await settled()
  for (const [name, end] of Object.entries(streams)) expect(await isOver(end), name).toBe(true)
  for (const node of nodes) await node.stop()
})
