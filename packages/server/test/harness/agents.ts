import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import type { Api } from './api'
import { Command, run, until } from './command'
import { temporaryFolder } from './folder'
import { ensureDemoArchive, startServe } from './services'

const ARCHIVE = fileURLToPath(new URL('../../dist/demo-game-server.zip', import.meta.url))
/** Queue `demo` on the build of `uploadArena`, in the region `fra`. */
export const QUEUE = {
  queue_id: 'demo',
  name: 'Duel',
  server_settings: {
    version_tag: 'arena',
    region: 'fra',
    network_ports: [
      { name: 'game', protocol: 'udp', internal_port: 7777 },
      { name: 'control', protocol: 'tcp', internal_port: 7778 },
    ],
  },
  matchmaking: { teams: 2, players_per_team: 1, rules: [{ type: 'difference', field: 'mmr', max_difference: 200 }] },
}

/** Starts a service whose game servers run on agents, with a project, its build and its queue. */
export async function startForAgents(more: Record<string, string> = {}) {
  await ensureDemoArchive()
  const cwd = temporaryFolder()
  const service = await startServe(cwd, { ORCHESTRATOR: 'agents', NODE_ID: 'node-1', ...more })
  const env = { MATCHYARD_DATA: join(cwd, 'data'), PUBLIC_URL: service.url }
  const operator = (...args: string[]) => run([...args], { cwd, env })
  const made = await operator('accounts', 'create', '--email', 'ann@example.com', '--operator', '--json')
  const { client_key: client, server_key: server, email, password } = JSON.parse(made.stdout)
  const { token: session } = (await service.call('POST /v1/auth/login', { body: { email, password } })).body
  const { stdout } = await operator('machines', 'token', 'fra-1')
  const token = /mt_live_\w+/.exec(stdout)?.[0] ?? ''
  return { ...service, operator, client, server, session, token }
}

/** Uploads the demo game server as a build with the name `arena`, which is ready when the promise resolves. */
export async function uploadArena(call: Api, key: string): Promise<void> {
  const body = { name: 'arena', executable_path: 'server.mjs' }
  const { body: made } = await call('POST /v1/builds/upload-url', { key, body })
  expect((await call(`PUT ${made.upload_url}`, { raw: readFileSync(ARCHIVE) })).status).toBeLessThan(300)
  await until('the build is ready', async () =>
    (await call(`GET /v1/builds/${made.build_id}`, { key })).body.status === 'ready' ? true : undefined,
  )
}

/** Starts an agent for the region `fra`, with its data below the folder. */
export const agentIn = (cwd: string, url: string, token: string, env: Record<string, string> = {}) =>
  new Command(['agent'], {
    cwd,
    env: {
      MATCHYARD_URL: url,
      MATCHYARD_MACHINE_TOKEN: token,
      MATCHYARD_DATA: join(cwd, 'agent'),
      SERVER_HOST: '127.0.0.1',
      REGIONS: 'fra',
      ...env,
    },
  })

/** Line in the log of an agent that has joined as `fra-1`. */
export const JOINED = /joined http\S+ as fra-1, regions fra; ready for game servers/
