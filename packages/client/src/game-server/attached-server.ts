import type { Configuration } from './configuration'
import { Emitter } from './emitter'
import type { CallOptions, GameServer, GameServerEvents } from './game-server'
import { type JoiningPlayer, type RefusedToken, verifyJoinToken } from './join-token'
import type { JsonValue } from './json'
import type { Link, PlayerLeftOptions, WireBackfill } from './link'
import type {
  Backfill,
  BackfillRequest,
  CustomDataOf,
  GameShape,
  KeptSeat,
  Match,
  ResultReport,
  SeatWish,
  SettingsOf,
  StateOf,
  Team,
} from './match'
import { Roster } from './roster'
import { deadlineFromNow, onSignals, settled } from './stop'

interface Attachment {
  readonly configuration: Configuration
  readonly link: Link
  readonly port: (name: string) => number
  readonly exit: boolean
  /** Set when the server runs without Matchyard. If `open` is true, every player is accepted. */
  readonly local: { readonly open: boolean } | undefined
}

export class AttachedServer<Game extends GameShape> implements GameServer<Game> {
  readonly instanceId: string
  readonly region: string
  readonly isLocal: boolean
  readonly settings: SettingsOf<Game>
  readonly customData: CustomDataOf<Game>
  readonly expiresAt: Date | null
  readonly raw: Configuration
  private readonly emitter = new Emitter<GameServerEvents<StateOf<Game>>>()
  private readonly roster: Roster
  private readonly unhook: () => void
  /** Deadline and end of the server's stop; undefined before the stop begins. */
  private stopping: { readonly deadline: Date; readonly done: Promise<void> } | undefined

  constructor(private readonly attachment: Attachment) {
    const { configuration, link, local } = attachment
    this.raw = configuration
    this.instanceId = configuration.instance_id
    this.region = configuration.region
    this.isLocal = local !== undefined
    this.settings = configuration.settings as SettingsOf<Game>
    this.customData = configuration.custom_data as CustomDataOf<Game>
    this.expiresAt = configuration.expires_at === null ? null : new Date(configuration.expires_at)
    this.roster = new Roster(configuration.teams ?? [], configuration.match_version ?? 0)
    this.unhook = onSignals(this.isLocal, (deadline) => void this.stop(deadline))
    link.open(
      {
        onMatch: ({ teams, match_version }) => {
          const update = this.roster.update(teams, match_version)
          if (update !== undefined) this.emitter.emit('match_updated', update as never)
        },
        onStopping: (deadline) => void this.stop(deadline),
        onConnection: (state, why) => this.emitter.emit('connection', { state, why }),
      },
      configuration.match_version ?? undefined,
    )
  }

  get match(): Match | null {
    const { match_id: matchId, queue_id: queueId } = this.raw
    return matchId === null ? null : { matchId, queueId, version: this.roster.version }
  }

  get teams(): readonly Team<StateOf<Game>>[] {
    return this.roster.teams as readonly Team<StateOf<Game>>[]
  }

  port(name: string): number {
    return this.attachment.port(name)
  }

  ready({ signal }: CallOptions = {}): Promise<void> {
    return this.attachment.link.ready(signal)
  }

  on<Event extends keyof GameServerEvents<StateOf<Game>>>(
    event: Event,
    listener: (message: GameServerEvents<StateOf<Game>>[Event]) => unknown,
  ): () => void {
    if (event === 'stopping' && this.stopping !== undefined) {
      const { deadline } = this.stopping
      queueMicrotask(() => listener({ deadline } as never))
    }
    return this.emitter.on(event, listener)
  }

  verify(joinToken: unknown): JoiningPlayer | RefusedToken {
    const { local } = this.attachment
    if (local === undefined) return verifyJoinToken(joinToken, this.raw, this.roster)
    if (typeof joinToken !== 'string' || joinToken === '') return { ok: false, reason: 'malformed' }
    const player = this.roster.find(joinToken)
    if (player !== undefined) return { ok: true, playerId: joinToken, team: player.team, role: player.role }
    if (local.open) return { ok: true, playerId: joinToken, team: 'local', role: null }
    return { ok: false, reason: this.roster.goneSince(joinToken) === undefined ? 'forged' : 'left' }
  }

  async playerLeft(playerId: string, options: PlayerLeftOptions = {}): Promise<void> {
    // The departure is recorded before the service answers, so that join tokens from before the departure are refused
    // at once.
    if (this.roster.find(playerId) !== undefined) this.roster.markGone(playerId)
    await this.attachment.link.playerLeft(playerId, options)
  }

  async backfill(request: BackfillRequest = {}, { signal }: CallOptions = {}): Promise<Backfill> {
    return backfillOf(await this.attachment.link.backfill(bodyOf(request), signal))
  }

  cancelBackfill({ signal }: CallOptions = {}): Promise<void> {
    return this.attachment.link.cancelBackfill(signal)
  }

  async keepSeat(playerId: string, wish: SeatWish = {}, { signal }: CallOptions = {}): Promise<KeptSeat> {
    const body = { player_id: playerId, team: wish.team, hold: wish.holdSeconds } as JsonValue
    const { team, expires_at } = await this.attachment.link.keepSeat(body, signal)
    return { playerId, team, expiresAt: new Date(expires_at) }
  }

  freeSeat(playerId: string, { signal }: CallOptions = {}): Promise<void> {
    return this.attachment.link.freeSeat(playerId, signal)
  }

  result({ players, ...report }: ResultReport, { signal }: CallOptions = {}): Promise<void> {
    const sent = players?.map(({ playerId, ...player }) => ({ player_id: playerId, ...player }))
    return this.attachment.link.result({ ...report, players: sent } as unknown as JsonValue, signal)
  }

  close({ signal }: CallOptions = {}): Promise<void> {
    return this.attachment.link.close(signal)
  }

  async shutdown(): Promise<void> {
    const deadline = deadlineFromNow()
    // A listener of `stopping` may call `shutdown` itself. The stop awaits the listener, so `shutdown` must not wait
    // for the stop.
    const isStopping = this.stopping !== undefined
    await this.attachment.link.shutdown()
    if (!isStopping) await this.stop(deadline)
  }

  /** Stops the server once, at the first request: from a signal, the service or the game itself. */
  private stop(deadline: Date): Promise<void> {
    this.stopping ??= { deadline, done: this.end(deadline) }
    return this.stopping.done
  }

  private async end(deadline: Date): Promise<void> {
    // The listeners run after this function has set `stopping`.
    await undefined
    const work = this.emitter.of('stopping').map(async (listener) => listener({ deadline }))
    const well = await settled(work, deadline)
    this.attachment.link.release()
    if (this.attachment.exit) process.exit(well ? 0 : 1)
    this.unhook()
  }
}

const bodyOf = ({ teams, players, timeoutSeconds }: BackfillRequest): JsonValue =>
  ({
    teams,
    players: players?.map(({ playerId, state }) => ({ player_id: playerId, state })),
    timeout: timeoutSeconds,
  }) as JsonValue

const backfillOf = ({ match_id, status, teams, expires_at, created_at }: WireBackfill): Backfill => ({
  matchId: match_id,
  status,
  teams,
  expiresAt: new Date(expires_at),
  createdAt: new Date(created_at),
})
