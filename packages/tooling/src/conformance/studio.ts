import type { Plan } from '@matchyard/core'
import type { FakeClock, FakeOrchestrator } from '@matchyard/testkit'
import { type Answer, type Body, type Caller, type CallOptions, headerText } from './client'
import type { Stream } from './stream'

/** The functions of the test world that a `Studio` needs. */
export interface StudioWorld {
  readonly orchestrator: FakeOrchestrator
  readonly clock: FakeClock
  /** Sends calls without credentials. */
  readonly nobody: Caller
  as(headers: Readonly<Record<string, string>>): Caller
  send(what: string, options?: CallOptions): Promise<Answer>
  stream(path: string, headers: Readonly<Record<string, string>>): Promise<Stream>
  tick(queueKey: string): Promise<unknown>
  settle(): Promise<void>
  /** Registers another studio, with a given plan. */
  studio(plan?: Plan): Promise<Studio>
  /** Creates an account of an operator, lets this node report its machine, and returns a caller with the operator's session. */
  operator(): Promise<Caller>
}

type Fields = Readonly<Record<string, unknown>>

/** A developer with a project: the credentials, and helpers for tests. */
export class Studio {
  readonly accountId: string
  readonly projectId: string
  readonly clientKey: string
  readonly serverKey: string
  /** Sends calls of the developer, with the session token. */
  readonly developer: Caller
  /** Sends calls with the server key and without a player id. */
  readonly backend: Caller

  constructor(
    readonly world: StudioWorld,
    readonly token: string,
    readonly account: { readonly id: string; readonly email: string; readonly password: string },
    readonly project: Body,
  ) {
    this.accountId = account.id
    this.projectId = project.project_id
    this.clientKey = project.keys[0].key
    this.serverKey = project.keys[1].key
    this.developer = world.as({ authorization: `Bearer ${token}` })
    this.backend = world.as({ 'api-key': this.serverKey })
  }

  /** Signs in again and returns a caller with the new session, because the first session expires after seven days. */
  async loggedIn(): Promise<Caller> {
    const { email, password } = this.account
    const { token } = succeeded(await this.world.nobody('POST /v1/auth/login', { email, password }))
    return this.world.as({ authorization: `Bearer ${token}` })
  }

  /** Returns a caller with the client key and this player id. */
  player(playerId: string): Caller {
    return this.world.as({ 'api-key': this.clientKey, 'x-player-id': headerText(playerId) })
  }

  /** Creates the queue `duel`: one against one, without game servers. */
  async queue(fields: Fields = {}): Promise<Body> {
    const body = { queue_id: 'duel', name: 'Duel', matchmaking: { teams: 2, players_per_team: 1 }, ...fields }
    return succeeded(await this.backend('POST /v1/queues', body))
  }

  /** Creates a ready build `arena` and a queue `duel` whose matches launch it. */
  async queueWithServer(settings: Fields = {}, fields: Fields = {}): Promise<Body> {
    await this.build()
    const ports = [{ name: 'game', protocol: 'udp', internal_port: 7777 }]
    return this.queue({ server_settings: { version_tag: 'arena', network_ports: ports, ...settings }, ...fields })
  }

  async build(name = 'arena'): Promise<Body> {
    const upload = succeeded(await this.backend('POST /v1/builds/upload-url', { name, executable_path: 'server' }))
    await this.put(upload.upload_url)
    await this.world.settle()
    return (await this.backend(`GET /v1/builds/${upload.build_id}`)).body
  }

  /** Sends an archive to an upload URL. */
  put(url: string, bytes = 'PK'): Promise<Answer> {
    const { pathname, search } = new URL(url)
    return this.world.send(`PUT ${pathname}${search}`, { raw: bytes })
  }

  /** Launches a game server that belongs to no match, and returns the server. */
  async server(fields: Fields = {}): Promise<Body> {
    return succeeded(await this.backend('POST /v1/servers', { version_tag: 'arena', ...fields }))
  }

  async lobby(host = 'ann', fields: Fields = {}): Promise<Body> {
    return succeeded(await this.player(host)('POST /v1/lobbies', { queue_id: 'duel', ...fields }))
  }

  /** Returns the current state of the lobby. */
  async read({ lobby_id: id }: Body): Promise<Body> {
    return (await this.backend(`GET /v1/lobbies/${id}`)).body
  }

  /** Sends a player's call about a lobby, for example `act('ann', lobby, 'POST', '/join')`. */
  act(player: string, lobby: Body, method: string, rest = '', body?: unknown): Promise<Answer> {
    return this.player(player)(`${method} /v1/lobbies/${lobby.lobby_id}${rest}`, body)
  }

  /** Creates a lobby; its host then puts the lobby into the queue. */
  async queued(host = 'ann', fields: Fields = {}): Promise<Body> {
    return succeeded(await this.act(host, await this.lobby(host, fields), 'POST', '/queue'))
  }

  tick(queueId = 'duel'): Promise<unknown> {
    return this.world.tick(`${this.projectId}/${queueId}`)
  }

  /** Puts two lobbies of one player each into the queue, and returns them when they are in a match. */
  async match(fields: Fields = {}): Promise<[Body, Body]> {
    const lobbies = [await this.queued('ann', fields), await this.queued('bob', fields)]
    await this.tick(typeof fields.queue_id === 'string' ? fields.queue_id : undefined)
    await this.world.settle()
    return [await this.read(lobbies[0]), await this.read(lobbies[1])]
  }

  /** Creates a lobby that was started directly, without a queue, and has the status `in_game`. */
  async inGame(host = 'ann', fields: Fields = {}): Promise<Body> {
    const lobby = await this.lobby(host, fields)
    succeeded(await this.act(host, lobby, 'POST', '/start'))
    await this.world.settle()
    return this.read(lobby)
  }

  /** Creates a lobby in the given status. */
  async inStatus(status: string): Promise<Body> {
    if (status === 'in_game') return this.inGame()
    if (status === 'in_queue') return this.queued()
    const lobby = await this.lobby()
    if (status === 'starting') return succeeded(await this.act('ann', lobby, 'POST', '/start'))
    if (status !== 'matched') return lobby
    await this.act('ann', lobby, 'POST', '/queue')
    await this.queued('zoe')
    await this.tick()
    return this.read(lobby)
  }

  stream(lobby: Body, player = 'ann', headers: Readonly<Record<string, string>> = {}): Promise<Stream> {
    const sent = { 'api-key': this.clientKey, 'x-player-id': headerText(player), ...headers }
    return this.world.stream(`/v1/lobbies/${lobby.lobby_id}/events`, sent)
  }
}

function succeeded({ status, text, body }: Answer): Body {
  if (status >= 300) throw new Error(`${status} ${text}`)
  return body
}
