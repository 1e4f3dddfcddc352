import { expect, it } from 'vitest'
import { type Fleet, fleet, server } from './fleet'

const PORTS = [{ name: 'game', protocol: 'tcp', internalPort: 7777, tlsEnabled: true }] as const
const SENTENCE = 'no machine that serves fra has a certificate for ports with TLS'

const secure = async ({ first, projectId }: Fleet) =>
  (await first.servers.create({ projectId, versionTag: 'arena', region: 'fra', networkPorts: PORTS })).id

/** Changes whether a machine has a certificate, and lets it report that. */
async function certify(given: Fleet, nodeId: string, endsTls: boolean): Promise<void> {
  const node = given.nodes.get(nodeId)
  if (node === undefined) throw new Error(`no node ${nodeId}`)
  node.orchestrator.endsTls = endsTls
  await given.pass(6)
}

it('servers with TLS ports start on a machine with a certificate', async () => {
  const given = await fleet({ 'fra-1': ['fra'], 'fra-2': ['fra'] })
  await certify(given, 'fra-1', false)
  const ids = [await secure(given), await secure(given), await secure(given)]
  await given.pass(5)
  expect(await given.nodesOf(ids)).toEqual(['fra-2', 'fra-2', 'fra-2'])
})

it('a server fails at once, and its queue has a warning, while no machine of its region has a certificate', async () => {
  const given = await fleet({ 'fra-1': ['fra'], 'iad-1': ['iad'] })
  await certify(given, 'fra-1', false)
  const { first, projectId } = given
  const failed = await secure(given)
  await given.pass(2)
  expect(await server(given, failed)).toMatchObject({ status: 'failed', stopReason: SENTENCE })
  const serverSettings = { versionTag: 'arena', region: 'fra', networkPorts: PORTS } as const
  const made = await first.queues.create({ projectId, queueId: 'duel', name: 'Duel', serverSettings })
  expect(made.warnings).toEqual([
    `${SENTENCE} (\`serverSettings.networkPorts\`): servers of this queue fail until a machine has one`,
  ])

  await certify(given, 'fra-1', true)
  expect((await first.queues.get({ projectId, queueId: 'duel' })).warnings).toBeUndefined()
  const started = await secure(given)
  await given.pass(3)
  expect(await server(given, started)).toMatchObject({ status: 'running', nodeId: 'fra-1' })
})

it('a server waits for the capacity of the machine with a certificate', async () => {
  const given = await fleet({ 'fra-1': ['fra'], 'fra-2': ['fra'] })
  await certify(given, 'fra-1', false)
  const certified = given.nodes.get('fra-2')
  if (certified !== undefined) certified.orchestrator.limits = { maxServers: 1 }
  const [first, second] = [await secure(given), await secure(given)]
  await given.pass(5)
  const all = [await server(given, first), await server(given, second)]
  expect(all.map(({ status }) => status).sort()).toEqual(['launching', 'running'])
  expect(all.find(({ status }) => status === 'running')?.nodeId).toBe('fra-2')
})

it('a server waits while the machine with a certificate restarts', async () => {
  const given = await fleet({ 'fra-1': ['fra'], 'fra-2': ['fra'] })
  await certify(given, 'fra-1', false)
  await given.nodes.get('fra-2')?.matchyard.stop()
  await given.pass(3, ['fra-1'])
  const waits = await secure(given)
  await given.pass(5, ['fra-1'])
  expect(await server(given, waits)).toMatchObject({ status: 'launching' })
  await given.join('fra-2', ['fra'])
  await given.pass(5)
  expect(await server(given, waits)).toMatchObject({ status: 'running', nodeId: 'fra-2' })
})

it('a server with TLS ports that waits for capacity lets servers without TLS pass, on machines without a certificate', async () => {
  const given = await fleet({ 'fra-1': ['fra'], 'fra-2': ['fra'] })
  await certify(given, 'fra-1', false)
  const certified = given.nodes.get('fra-2')
  if (certified !== undefined) certified.orchestrator.limits = { maxServers: 1 }
  const secured = [await secure(given), await secure(given)]
  await given.pass(5)
  const { first, projectId } = given
  const plain = (await first.servers.create({ projectId, versionTag: 'arena', region: 'fra' })).id
  await given.pass(5)
  expect(await server(given, plain)).toMatchObject({ status: 'running', nodeId: 'fra-1' })
  const waits = await Promise.all(secured.map((id) => server(given, id)))
  expect(waits.map(({ status }) => status).sort()).toEqual(['launching', 'running'])
})

it('a server that waited for a machine with a certificate tells so when the last such machine has lost it', async () => {
  const given = await fleet({ 'fra-1': ['fra'], 'fra-2': ['fra'] })
  await certify(given, 'fra-1', false)
  const certified = given.nodes.get('fra-2')
  if (certified !== undefined) certified.orchestrator.limits = { maxServers: 1 }
  const ids = [await secure(given), await secure(given)]
  await given.pass(5)
  await certify(given, 'fra-2', false)
  await given.pass(600)
  const all = await Promise.all(ids.map((id) => server(given, id)))
  const failed = all.find(({ status }) => status === 'failed')
  expect(failed?.stopReason).toMatch(`${SENTENCE}; the server waited`)
})
