import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Player, Tool } from './clients'

const PROGRAM = fileURLToPath(new URL('../server/server.mjs', import.meta.url))
const TEAMS = [
  { name: 'team_1', players: [{ player_id: 'ann', lobby_id: 'lob_1', role: null, state: {} }] },
  { name: 'team_2', players: [{ player_id: 'bob the 2nd', lobby_id: 'lob_2', role: null, state: {} }] },
]

let folder: string
let service: Server
let calls: string[]
let events: { readonly tell: (text: string) => void; readonly by: string }[]
let game: ChildProcess | undefined
const players: Player[] = []

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'game-server-'))
  calls = []
  events = []
  service = createServer((request, response) => {
    const { method, url, headers } = request
    if (method === 'GET') {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write('retry: 2000\n\n: ping\n\n')
      return void events.push({ tell: (text) => response.write(text), by: `${url} ${headers.authorization}` })
    }
    calls.push(`${method} ${url} ${headers.authorization}`)
    response.writeHead(204).end()
  })
  service.listen(0, '127.0.0.1')
  await once(service, 'listening')
})

afterEach(async () => {
  for (const player of players.splice(0)) player.close()
  game?.kill('SIGKILL')
  service.closeAllConnections()
  service.close()
  await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
})

/**
 * Returns a free port below the range for outgoing connections, so that no other socket takes it before the game server
 * listens.
 */
async function freePort(): Promise<number> {
  for (;;) {
    const port = 30_000 + Math.floor(Math.random() * 2_768)
    const isFree = await new Promise<boolean>((resolve) => {
      const probe = createTcpServer().once('error', () => resolve(false))
      probe.listen(port, () => probe.close(() => resolve(true)))
    })
    if (isFree) return port
  }
}

const configuration = (more: object = {}) => {
  const api_url = `http://127.0.0.1:${(service.address() as AddressInfo).port}`
  return JSON.stringify({ instance_id: 'srv_1', match_id: 'mat_1', teams: TEAMS, api_url, token: 'secret', ...more })
}

/** Starts the game server as the service does, with this text in its configuration file. */
async function run(text: string, ports: object) {
  const configFile = join(folder, 'its_svc.json')
  await writeFile(configFile, text)
  const begun = spawn(PROGRAM, [], {
    env: { PATH: process.env.PATH, SVC_CONFIG_FILE: configFile, ...ports },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  game = begun
  const exit = once(begun, 'exit') as Promise<[number | null, string | null]>
  return { said: once(begun.stdout, 'data').then(String), exit, write: (more: string) => writeFile(configFile, more) }
}

/** Starts the game server and waits until it has called `ready`. */
async function start(config: object = {}) {
  const [gamePort, controlPort] = [await freePort(), await freePort()]
  const ready = once(service, 'request')
  const { exit } = await run(configuration(config), { PORT_GAME: String(gamePort), PORT_CONTROL: String(controlPort) })
  game?.stdout?.resume()
  await ready
  const player = async () => {
    const made = await Player.open(gamePort)
    players.push(made)
    return made
  }
  return { exit, player, tool: () => Tool.open(controlPort) }
}

/** Starts the game server before its match, with an empty configuration file. */
async function startEmpty() {
  const { said, ...rest } = await run('', { PORT_CONTROL: String(await freePort()) })
  expect(await said).toBe('waiting for a match\n')
  return rest
}

describe('the game server', () => {
  it('calls ready with its own token', async () => {
    await start()
    expect(calls).toEqual(['POST /v1/servers/self/ready Bearer secret'])
  })

  it('greets the players of the match and relays what they say to the others', async () => {
    const { player } = await start()
    const [ann, bob, eve] = [await player(), await player(), await player()]
    expect(await ann.ask('ping 17')).toBe('pong 17')
    expect(await ann.ask('hello ann')).toBe('welcome ann 1/2')
    expect(await bob.ask('hello bob%20the%202nd')).toBe('welcome bob%20the%202nd 2/2')
    expect(await eve.ask('hello eve')).toBe('refused eve')
    expect(await eve.ask('say let me in')).toBe('refused')
    ann.send('say good luck')
    expect(await bob.next()).toBe('from ann good luck')
    bob.send('say you too')
    expect(await ann.next()).toBe('from bob%20the%202nd you too')
    expect(await ann.ask('players')).toBe('players 2/2')
  })

  it('takes a player who comes back from another address as the same one', async () => {
    const { player } = await start()
    const [before, after] = [await player(), await player()]
    expect(await before.ask('hello ann')).toBe('welcome ann 1/2')
    expect(await after.ask('hello ann')).toBe('welcome ann 1/2')
    expect(await before.ask('say am I still there?')).toBe('refused')
  })

  it('lets in who came to the running match, and lets go of who left it', async () => {
    const { player } = await start()
    const [ann, eve] = [await player(), await player()]
    await ann.ask('hello ann')
    expect(await eve.ask('hello eve')).toBe('refused eve')
    await expect
      .poll(() => events.map(({ by }) => by), { timeout: 10_000 })
      .toEqual(['/v1/servers/self/events Bearer secret'])
    const teams = [{ name: 'team_1', players: [{ player_id: 'eve' }] }]
    events[0]?.tell(`event: match_updated\nid: 3\ndata: ${JSON.stringify({ match_version: 3, teams })}\n\n`)
    await expect.poll(() => eve.ask('hello eve'), { timeout: 10_000 }).toMatch(/^welcome eve/)
    expect(await ann.ask('say am I still there?')).toBe('refused')
  })

  it('goes on after nonsense', async () => {
    const { player } = await start()
    const stranger = await player()
    for (const text of ['', 'constructor x', 'hello', `hello ${'x'.repeat(2000)}`, 'hello %E0%A4%A', 'wave'])
      stranger.send(text)
    await expect.poll(() => stranger.ask('ping again'), { timeout: 10_000 }).toBe('pong again')
  })

  it('shows its configuration without the token, and who is there', async () => {
    const { player, tool } = await start()
    await (await player()).ask('hello ann')
    const client = await tool()
    const config = JSON.parse(await client.ask('config'))
    expect(config).toMatchObject({ instance_id: 'srv_1', match_id: 'mat_1', teams: TEAMS })
    expect(config).not.toHaveProperty('token')
    expect(JSON.parse(await client.ask('players'))).toEqual({ connected: ['ann'], expected: ['ann', 'bob the 2nd'] })
    expect(await client.ask('ping')).toBe('pong')
    expect(await client.ask('what')).toBe('unknown')
  })

  it('ends when a player says that the match is over, and tells everyone', async () => {
    const { player, exit } = await start()
    const [ann, bob] = [await player(), await player()]
    expect(await bob.ask('over')).toBe('refused')
    await ann.ask('hello ann')
    await bob.ask('hello bob%20the%202nd')
    ann.send('over')
    expect([await ann.next(), await bob.next()]).toEqual(['bye', 'bye'])
    expect(await exit).toEqual([0, null])
    expect(calls.at(-1)).toBe('POST /v1/servers/self/shutdown Bearer secret')
  })

  it('ends when a tool says that the match is over', async () => {
    const { tool, exit } = await start()
    expect(await (await tool()).ask('over')).toBe('bye')
    expect(await exit).toEqual([0, null])
  })

  it('ends with 0 on SIGTERM, without asking for what was asked', async () => {
    const { exit } = await start()
    game?.kill('SIGTERM')
    expect(await exit).toEqual([0, null])
    expect(calls).toHaveLength(1)
  })

  it('says its farewell though it is asked twice', async () => {
    const { player, exit } = await start()
    const ann = await player()
    await ann.ask('hello ann')
    game?.kill('SIGTERM')
    expect(await ann.next()).toBe('bye')
    game?.kill('SIGTERM')
    expect(await exit).toEqual([0, null])
  })

  it('plays on when the service is away', async () => {
    const { player, exit } = await start()
    service.close()
    service.closeAllConnections()
    const ann = await player()
    expect(await ann.ask('hello ann')).toBe('welcome ann 1/2')
    ann.send('over')
    expect(await exit).toEqual([0, null])
  })

  it('waits for its match where it was started before, and takes no half of its file for the whole', async () => {
    const { write } = await startEmpty()
    const ready = once(service, 'request')
    await write(configuration().slice(0, 40))
    await write(configuration())
    await ready
    expect(calls).toEqual(['POST /v1/servers/self/ready Bearer secret'])
  })

  it('ends when it is asked to while it waits', async () => {
    const { exit } = await startEmpty()
    game?.kill('SIGTERM')
    expect(await exit).toEqual([0, null])
  })

  it('says why it cannot start', async () => {
    const broken = spawn(PROGRAM, [], { env: { PATH: process.env.PATH, SVC_CONFIG_FILE: join(folder, 'none') } })
    let said = ''
    broken.stderr.on('data', (data) => {
      said += data
    })
    expect(await once(broken, 'close')).toEqual([2, null])
    expect(said).toMatch(/^cannot read .*none: ENOENT.*\n$/)
  })
})
