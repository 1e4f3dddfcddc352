import type { Connections } from '../connections/connections'
import type { ConnectionPool, Session } from '../connections/pool'
import type { Settings } from '../options'
import { quoted } from '../quoted'
import { send } from '../send'
import { statement } from '../statements/statement'

/** Milliseconds between two attempts to connect: short after a lost connection, then longer. */
const BACK_OFF_MS = [50, 200, 500, 1_000]

/** Number of heartbeats within the maximum time of silence, on a connection without other statements. */
const HEARTBEATS = 2.5

const CHANNEL = statement<{ channel: string }>('signal_channel', `select 'matchyard ' || current_schema() as channel`)
const NOTIFY = statement(
  'notify',
  `select pg_notify('matchyard ' || current_schema(), message) from unnest($1::text[]) as message`,
)

export interface SessionEvents {
  message(payload: string): void
  /**
   * Called when LISTEN becomes active, for the first time or again. Signals that other nodes sent before may have been
   * lost.
   */
  connected(): void
}

/**
 * The connection on which a node listens and notifies. LISTEN belongs to a session, so no other caller has this
 * connection. It reconnects until it is closed. Signals that could not be sent are lost; the other nodes find the changes
 * when they poll.
 */
export class SignalSession {
  #session: Session | undefined
  #connecting: Promise<void> | undefined
  #timer: ReturnType<typeof setTimeout> | undefined
  #heart: ReturnType<typeof setInterval> | undefined
  #failures = 0
  #closed = false

  constructor(
    private readonly settings: Settings,
    private readonly connections: Connections,
    private readonly pool: ConnectionPool,
    private readonly events: SessionEvents,
  ) {}

  /** Resolves when LISTEN is active, or when an attempt has failed and the next one is scheduled. */
  open(): Promise<void> {
    if (this.#closed || this.#session !== undefined) return Promise.resolve()
    this.#connecting ??= this.#connect().finally(() => {
      this.#connecting = undefined
    })
    return this.#connecting
  }

  /** Sends messages. Returns false when they could not be sent. */
  async notify(messages: readonly string[]): Promise<boolean> {
    await this.open()
    const client = this.#session?.client
    if (client === undefined) return false
    try {
      await this.connections.session.during(client, () => send(client, NOTIFY, [messages]))
      return true
    } catch (error) {
      this.settings.logger?.debug('signals could not be sent', { error: String(error) })
      return false
    }
  }

  async close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#timer)
    clearInterval(this.#heart)
    await this.#connecting
    const session = this.#session
    this.#session = undefined
    await session?.end()
  }

  async #connect(): Promise<void> {
    try {
      if (this.connections.isCut) throw new Error('the storage is closed')
      const session = await this.pool.openSession()
      await this.#listen(session).catch(async (error) => {
        await session.end()
        throw error
      })
      // `close` waits for this attempt to connect, so the attempt must not wait for `close`.
      if (this.#closed) return await session.end()
      this.#session = session
      this.#failures = 0
      this.#beat(session)
      this.events.connected()
    } catch (error) {
      this.settings.logger?.debug('the connection for signals failed', { error: String(error) })
      this.#retry()
    }
  }

  async #listen(session: Session): Promise<void> {
    const { client } = session
    client.on('error', (error) => this.#lost(session, error))
    client.on('end', () => this.#lost(session, undefined))
    client.on('notification', ({ payload }) => this.events.message(payload ?? ''))
    await this.connections.session.during(client, async () => {
      // A signal need not survive a power cut, so its transaction does not sync the disk, and commits need not wait for
      // that sync.
      await client.query('set synchronous_commit = off')
      const [row] = (await send(client, CHANNEL, [])).rows
      await client.query(`listen ${quoted(row?.channel ?? 'matchyard')}`)
    })
  }

  // Sends heartbeats: a network may fail without a message, and a connection that only listens would never notice.
  #beat({ client }: Session): void {
    const { session, history } = this.connections
    clearInterval(this.#heart)
    this.#heart = setInterval(() => {
      if (session.isWatching(client)) return
      // The events of the connection report its loss.
      void session.during(client, () => history.learn(client)).catch(() => {})
    }, session.limitMs / HEARTBEATS).unref()
  }

  #lost(session: Session, error: Error | undefined): void {
    if (this.#session !== session) return
    this.#session = undefined
    void session.end()
    clearInterval(this.#heart)
    if (this.#closed) return
    this.connections.lost()
    this.settings.logger?.warn('the connection for signals was lost', { error: error?.message ?? 'ended' })
    this.#retry()
  }

  #retry(): void {
    if (this.#closed) return
    clearTimeout(this.#timer)
    const wait = BACK_OFF_MS[Math.min(this.#failures, BACK_OFF_MS.length - 1)]
    this.#failures++
    this.#timer = setTimeout(() => void this.open(), wait)
    this.#timer.unref()
  }
}
