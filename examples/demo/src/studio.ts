import { type AdminClient, createAdmin } from '@matchyard/client/admin'
import type { Credentials } from '@matchyard/example-arena'
import { packGameServer } from '@matchyard/example-game-server'

/** How a client calls the service. */
export interface Calling {
  /** Milliseconds for which a call is tried again. */
  readonly retryForMs: number
  readonly fetch: typeof globalThis.fetch
}

/** What a studio does with its server key: it brings a game server, makes a queue, and asks for newcomers to a running match. */
export class Studio {
  private readonly admin: AdminClient

  constructor(
    { base_url: baseUrl, server_key: serverKey }: Credentials,
    { retryForMs, fetch }: Calling,
    /** What the build and the queue are called. */
    private readonly name: string,
  ) {
    this.admin = createAdmin({ baseUrl, serverKey, retryForMs, platform: { fetch } })
  }

  get queueId(): string {
    return this.name.replaceAll('-', '_')
  }

  /** Resolves once the build is ready. */
  async upload(archive: Uint8Array | undefined): Promise<void> {
    const zip = archive ?? (await packGameServer())
    await this.admin.builds.upload({ name: this.name, executablePath: 'server.mjs', zip })
  }

  /** The same with a container image. */
  async register(imageUrl: string): Promise<void> {
    await this.admin.builds.registerImage({ name: this.name, imageUrl })
  }

  /** Two against two, of about one strength. */
  async makeQueue(readyCheck: boolean): Promise<void> {
    await this.admin.queues.create({
      queue_id: this.queueId,
      name: 'Demo: two against two',
      max_players: 2,
      server_settings: {
        version_tag: this.name,
        network_ports: [
          { name: 'game', protocol: 'udp', internal_port: 7777 },
          { name: 'control', protocol: 'tcp', internal_port: 7778 },
        ],
      },
      matchmaking: {
        teams: 2,
        players_per_team: 2,
        rules: [{ type: 'difference', field: 'mmr', max_difference: 200 }],
        ...(readyCheck ? { ready_check: { timeout: 15 } } : {}),
      },
    })
  }

  /** Asks for somebody for each open seat of a match. */
  async fillSeats(matchId: string): Promise<void> {
    await this.admin.matches.backfill(matchId)
  }
}
