import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ZipFile } from 'yazl'
import { type EmbeddedService, embeddedService } from '../src/embedded-service'
import { eventually } from '../src/eventually'

/** An archive of one script. */
async function archiveOf(script: string): Promise<Buffer> {
  const zip = new ZipFile()
  zip.addBuffer(Buffer.from(script), 'run.sh', { mode: 0o100755 })
  zip.end()
  const chunks: Buffer[] = []
  for await (const chunk of zip.outputStream) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

describe('a build whose executable exits at once', () => {
  let matchyard: EmbeddedService
  beforeAll(async () => {
    matchyard = await embeddedService()
  })
  afterAll(() => matchyard.stop())

  it('takes a direct start back to waiting, the reason in the server, nothing left reserved', {
    timeout: 60_000,
  }, async () => {
    const { client, serverKey: key } = matchyard
    const upload = await client.call<{ build_id: string; upload_url: string }>({
      method: 'POST',
      path: '/v1/builds/upload-url',
      key,
      body: { name: 'broken', executable_path: 'run.sh' },
    })
    const body = new Uint8Array(await archiveOf('#!/bin/sh\necho "no maps found" >&2\nexit 3\n'))
    expect((await fetch(upload.body.upload_url, { method: 'PUT', body })).status).toBe(204)
    const build = () => client.call({ method: 'GET', path: `/v1/builds/${upload.body.build_id}`, key })
    await eventually(build, (answer) => answer.body.status === 'ready')
    const network_ports = [{ name: 'game', protocol: 'udp', internal_port: 7777 }]
    const queue = { queue_id: 'broken', name: 'Broken', server_settings: { version_tag: 'broken', network_ports } }
    expect((await client.call({ method: 'POST', path: '/v1/queues', key, body: queue })).status).toBe(201)
    const created = await client.call<{ lobby_id: string }>({
      method: 'POST',
      path: '/v1/lobbies',
      player: 'ann',
      body: { queue_id: 'broken' },
    })
    const path = `/v1/lobbies/${created.body.lobby_id}`

    const statuses = follow(matchyard, created.body.lobby_id)
    const started = await client.call({ method: 'POST', path: `${path}/start`, player: 'ann' })
    expect(started).toMatchObject({ status: 200, body: { status: 'starting', server: null } })
    await eventually(
      () => client.call({ method: 'GET', path }),
      (answer) => answer.body.status === 'waiting',
    )
    expect((await client.call({ method: 'GET', path })).body).toMatchObject({ server: null, match_id: null })
    expect([...new Set((await statuses).filter((status, index, all) => status !== all[index - 1]))]).toEqual([
      'waiting',
      'starting',
    ])

    const servers = await client.call<{ data: { instance_id: string }[] }>({ method: 'GET', path: '/v1/servers', key })
    expect(servers.body.data[0]).toMatchObject({ status: 'failed', exit_code: 3, running_at: null })
    const logs = () =>
      client.call({ method: 'GET', path: `/v1/servers/${servers.body.data[0]?.instance_id}/logs`, key })
    await eventually(logs, (answer) => JSON.stringify(answer.body).includes('no maps found'))
    // Nothing is reserved: the build can be deleted, which a live server would forbid.
    expect((await client.call({ method: 'DELETE', path: `/v1/builds/${upload.body.build_id}`, key })).status).toBe(204)
  })
})

/** The statuses that the lobby's stream showed, until it was back in waiting. */
async function follow({ service, projectId }: EmbeddedService, lobbyId: string): Promise<string[]> {
  const stream = await service.matchyard.lobbies.watch({ projectId, lobbyId, playerId: 'ann', backend: false })
  const statuses: string[] = []
  for (let message = await stream.next(); message !== undefined; message = await stream.next()) {
    statuses.push(message.lobby.status)
    if (message.lobby.status === 'waiting' && statuses.includes('starting')) stream.close()
    await wait(0)
  }
  return statuses
}
