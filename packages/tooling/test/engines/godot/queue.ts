import { packGameServer } from '@matchyard/example-game-server'
import type { Client } from '../../../src/client'
import { eventually } from '../../../src/eventually'
import { PROJECT } from './project'

/** Uploads the sample as a build, and creates a queue of two teams of one player that uses this build. */
export async function makeQueue(
  backend: Client,
  queueId: string,
  matchmaking: Record<string, unknown> = {},
  settings: Record<string, unknown> = {},
) {
  const named = { name: queueId, executable_path: 'start.sh' }
  const made = await backend.call<{ build_id: string; upload_url: string }>({
    method: 'POST',
    path: '/v1/builds/upload-url',
    body: named,
  })
  const archive = await packGameServer(PROJECT)
  await fetch(made.body.upload_url, { method: 'PUT', body: new Uint8Array(archive) })
  await eventually(
    () => backend.call({ method: 'GET', path: `/v1/builds/${made.body.build_id}` }),
    ({ body }) => body.status === 'ready',
  )
  const body = {
    queue_id: queueId,
    name: queueId,
    server_settings: {
      version_tag: queueId,
      network_ports: [{ name: 'game', protocol: 'udp', internal_port: 7777 }],
    },
    matchmaking: { teams: 2, players_per_team: 1, ...matchmaking },
    ...settings,
  }
  const queue = await backend.call({ method: 'POST', path: '/v1/queues', body })
  if (queue.status !== 201) throw new Error(JSON.stringify(queue.body))
}
