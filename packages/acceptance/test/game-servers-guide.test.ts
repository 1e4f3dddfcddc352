import { spawnSync } from 'node:child_process'
import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { packGameServer } from '@matchyard/example-game-server'
import { skipWithout } from '@matchyard/tooling/needs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Client } from '../src/client'
import { eventually } from '../src/eventually'
import { ServiceProcess } from '../src/service-process'

interface LobbyBody {
  readonly lobby_id: string
  readonly status: string
  readonly match_id: string
  readonly last_exit: { readonly reason: string } | null
  readonly server: { readonly network_ports: readonly { readonly host: string; readonly external_port: number }[] }
}

const GUIDE = readFileSync(fileURLToPath(new URL('../../../docs/game-servers.md', import.meta.url)), 'utf8')
const programIn = (language: string) =>
  new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(GUIDE)?.[1] ?? ''

describe('the game servers of the guide', () => {
  const directory = mkdtempSync(join(tmpdir(), 'matchyard-guide-'))
  let service: ServiceProcess
  let client: Client
  let socket: Socket

  beforeAll(async () => {
    service = await ServiceProcess.start(join(directory, 'service'), 0)
    client = new Client(service.credentials.base_url, service.credentials.client_key)
    socket = createSocket('udp4')
  })
  afterAll(async () => {
    socket.close()
    client.close()
    await service.end('SIGINT')
    await rm(directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
  })

  async function call<T>(method: string, path: string, body?: unknown, player?: string): Promise<T> {
    const as = player === undefined ? { key: service.credentials.server_key } : { player }
    const { status, body: said } = await client.call<T>({
      method,
      path,
      ...as,
      ...(body === undefined ? {} : { body }),
    })
    if (status >= 400) throw new Error(`${method} ${path}: ${JSON.stringify(said)}`)
    return said
  }

  /** Uploads what is in the folder, and makes a queue of its name. */
  async function offer(name: string): Promise<void> {
    const body = { name, executable_path: 'server.mjs' }
    const made = await call<{ build_id: string; upload_url: string }>('POST', '/v1/builds/upload-url', body)
    const archive = await packGameServer(join(directory, name))
    await fetch(made.upload_url, { method: 'PUT', body: new Uint8Array(archive) })
    const look = () => call<{ status: string }>('GET', `/v1/builds/${made.build_id}`)
    await eventually(look, ({ status }) => status === 'ready')
    const network_ports = [{ name: 'game', protocol: 'udp', internal_port: 7777 }]
    const server_settings = { version_tag: name, network_ports }
    await call('POST', '/v1/queues', { queue_id: name, name, server_settings })
  }

  /** A lobby of one plays on it: answers what the server said to its token, and to another's. */
  async function play(queue: string): Promise<{ toToken: string; toStranger: string; after: LobbyBody }> {
    const lobby = await call<LobbyBody>('POST', '/v1/lobbies', { queue_id: queue }, 'ann')
    const path = `/v1/lobbies/${lobby.lobby_id}`
    await call('POST', `${path}/start`, undefined, 'ann')
    const until = (wanted: string) =>
      eventually(
        () => call<LobbyBody>('GET', path, undefined, 'ann'),
        ({ status, last_exit }) => status === wanted || last_exit?.reason === 'launch_failed',
      )
    const playing = await until('in_game')
    const { token } = await call<{ token: string }>(
      'POST',
      `/v1/matches/${playing.match_id}/join-token`,
      undefined,
      'ann',
    )
    const port = playing.server.network_ports[0]
    const ask = async (text: string) => {
      const answer = once(socket, 'message') as Promise<[Buffer]>
      socket.send(text, port?.external_port ?? 0, port?.host)
      return (await answer)[0].toString()
    }
    const toStranger = await ask(`${token.slice(0, -8)}AAAAAAAA`)
    const toToken = await ask(token)
    socket.send('over', port?.external_port ?? 0, port?.host)
    return { toToken, toStranger, after: await until('waiting') }
  }

  const write = (name: string, text: string) => {
    mkdirSync(join(directory, name), { recursive: true })
    writeFileSync(join(directory, name, 'server.mjs'), text)
  }

  it('in JavaScript', async () => {
    write('javascript', programIn('js'))
    await offer('javascript')
    const { toToken, toStranger, after } = await play('javascript')
    expect([toToken, toStranger, after.last_exit?.reason]).toEqual(['welcome ann', 'refused', 'match_ended'])
  })

  it('in Python', async (context) => {
    // A game server's PATH has the system's programs.
    if (spawnSync('/usr/bin/python3', ['-c', '']).status !== 0) skipWithout(context, 'Python', 'no /usr/bin/python3')
    write('python', programIn('python'))
    await offer('python')
    const { toToken, toStranger, after } = await play('python')
    expect([toToken, toStranger, after.last_exit?.reason]).toEqual(['welcome ann', 'refused', 'match_ended'])
  })

  it('in C', async (context) => {
    write('c', '')
    const compiler = ['-x', 'c', '-std=gnu99', '-Wall', '-Werror', '-o', join(directory, 'c', 'server.mjs'), '-']
    const compiled = spawnSync('cc', compiler, { input: programIn('c'), encoding: 'utf8' })
    if (compiled.error !== undefined) skipWithout(context, 'a C compiler', compiled.error.message)
    expect(compiled.stderr).toBe('')
    await offer('c')
    const { toToken, toStranger, after } = await play('c')
    expect([toToken, toStranger, after.last_exit?.reason]).toEqual(['welcome', 'welcome', 'match_ended'])
  })
})
