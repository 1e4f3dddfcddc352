import { packGameServer } from '@matchyard/example-game-server'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { eventually } from '../../src/eventually'
import { type Cluster, startCluster } from '../../src/many-nodes/cluster'

interface Logs {
  readonly logs: readonly { readonly message: string }[]
  readonly has_more: boolean
}

let cluster: Cluster
beforeAll(async () => {
  cluster = await startCluster(2)
  for (const node of cluster.nodes) node.keepWholeLog()
}, 120_000)
afterAll(() => cluster?.stop())

it('every node tells what a game server printed, and none but its own once that node is gone', {
  timeout: 120_000,
}, async () => {
  const key = cluster.serverKey
  const upload = await cluster.node(0).call<{ build_id: string; upload_url: string }>({
    method: 'POST',
    path: '/v1/builds/upload-url',
    key,
    body: { name: 'arena', executable_path: 'server.mjs' },
  })
  const archive = new Uint8Array(await packGameServer())
  expect((await fetch(upload.body.upload_url, { method: 'PUT', body: archive })).status).toBe(204)
  await eventually(
    () => cluster.node(0).call({ method: 'GET', path: `/v1/builds/${upload.body.build_id}`, key }),
    ({ body }) => body.status === 'ready',
  )
  const network_ports = [{ name: 'game', protocol: 'udp', internal_port: 7777 }]
  const body = { version_tag: 'arena', network_ports }
  const made = await cluster.node(0).call<{ instance_id: string }>({ method: 'POST', path: '/v1/servers', key, body })
  const { instance_id: instanceId } = made.body
  const { node_id: ownerId } = (
    await eventually(
      () =>
        cluster
          .node(0)
          .call<{ status: string; node_id: string }>({ method: 'GET', path: `/v1/servers/${instanceId}`, key }),
      (answer) => answer.body.status === 'running',
    )
  ).body
  const read = (node: Cluster['nodes'][number]) =>
    node.call<Logs>({ method: 'GET', path: `/v1/servers/${instanceId}/logs`, key })
  const [owner, other] = ownerId === 'node-0' ? [cluster.node(0), cluster.node(1)] : [cluster.node(1), cluster.node(0)]
  const told = await eventually(
    () => read(owner),
    (answer) => answer.body.logs.length > 0,
  )
  // The game server continues to print, so only its first line is compared.
  const begun = { status: 200, body: { logs: expect.arrayContaining([told.body.logs[0]]) } }
  expect(await read(other)).toMatchObject(begun)
  // A node refuses an unknown API key, and the route between nodes accepts no API keys.
  const path = `/v1/servers/${instanceId}/logs`
  expect((await other.call({ method: 'GET', path, key: 'ms_live_none' })).status).toBe(401)
  const headers = { authorization: `Bearer ${key}` }
  expect((await fetch(`${owner.baseUrl}/peer/server-logs`, { headers })).status).toBe(401)

  await owner.end('SIGTERM')
  const away = await read(other)
  expect(away).toMatchObject({ status: 503, body: { code: 'UNAVAILABLE' } })
  expect(JSON.stringify(away.body)).toContain(ownerId)
  expect(JSON.stringify(away.body)).not.toContain(owner.baseUrl)
  await owner.start()
  // A node that was away too long is given up by the others, and is asked again after its next heartbeat.
  const again = await eventually(
    () => read(other),
    ({ status }) => status !== 503,
  )
  expect(again).toMatchObject(begun)
  for (const { wholeLog } of cluster.nodes) expect(wholeLog).not.toMatch(/eyJ/)
})
