import { Client, type ClientConfig } from 'pg'
import { connectionConfig, prepareSession, send } from '../database'
import type { Settings } from '../options'
import { statement } from '../statements/statement'

/** Waits between attempts to connect, in milliseconds: at once after a cut, then slower. */
const BACK_OFF_MS = [50, 200, 500, 1_000]

const CHANNEL = statement<{ channel: string }>('signal_channel', `select 'matchyard ' || current_schema() as channel`)
const NOTIFY = statement(
  'notify',
  `select pg_notify('matchyard ' || current_schema(), message) from unnest($1::text[]) as message`,
)

export interface SessionEvents {
  message(payload: string): void
  /** LISTEN holds again after a time without it: signals may have been lost. */
  connected(): void
}

/**
 * The one connection on which a node listens and notifies. LISTEN belongs to a session, so this is not one of the pool's. It
 * connects again by itself for as long as it is open; what it could not send is the business of the poll behind it.
 */
export class SignalSession {
  #client: Client | undefined
  #connecting: Promise<void> | undefined
  #timer: ReturnType<typeof setTimeout> | undefined
  #failures = 0
  #closed = false

  constructor(
    private readonly settings: Settings,
    private readonly events: SessionEvents,
  ) {}

  /** Resolves when LISTEN holds, or when an attempt has failed and the next one is due later. */
  open(): Promise<void> {
    if (this.#closed || this.#client !== undefined) return Promise.resolve()
    this.#connecting ??= this.#connect().finally(() => {
      this.#connecting = undefined
    })
    return this.#connecting
  }

  /** Sends messages; false when they could not be sent. */
  async notify(messages: readonly string[]): Promise<boolean> {
    await this.open()
    if (this.#client === undefined) return false
    try {
      await send(this.#client, NOTIFY, [messages])
      return true
    } catch (error) {
      this.settings.logger?.debug('signals could not be sent', { error: String(error) })
      return false
    }
  }

  async close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#timer)
    await this.#connecting
    const client = this.#client
    this.#client = undefined
    await client?.end().catch(() => {})
  }

  async #connect(): Promise<void> {
    const client = new Client(connectionConfig(this.settings) as ClientConfig)
    client.on('error', (error) => this.#lost(client, error))
    client.on('end', () => this.#lost(client, undefined))
    client.on('notification', ({ payload }) => this.events.message(payload ?? ''))
    try {
      await client.connect()
      await prepareSession(client, this.settings)
      // A hint need not outlive a power cut; the commits it tells of should have the disk to themselves.
      await client.query('set synchronous_commit = off')
      const [row] = (await send(client, CHANNEL, [])).rows
      await client.query(`listen ${client.escapeIdentifier(row?.channel ?? 'matchyard')}`)
      this.#client = client
      this.#failures = 0
      if (this.#closed) await this.close()
      else this.events.connected()
    } catch (error) {
      client.end().catch(() => {})
      this.settings.logger?.debug('the connection for signals failed', { error: String(error) })
      this.#retry()
    }
  }

  #lost(client: Client, error: Error | undefined): void {
    if (this.#client !== client) return
    this.#client = undefined
    if (this.#closed) return
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
