import { type AdminClient, createAdmin } from '@matchyard/client/admin'
import type { Credentials } from '@matchyard/example-arena'
import { packGameServer } from '@matchyard/example-game-server'

/** Settings of a client's calls. */
export interface Calling {
  /** Milliseconds for which a failed call is retried. */
  readonly retryForMs: number
  readonly fetch: typeof globalThis.fetch
}

/**
 * The calls of a studio with its server key: it uploads a game server, creates a queue, and requests newcomers for a
 * running match.
 */
export class Studio {
  private readonly admin: AdminClient

  constructor(
    { base_url: baseUrl, server_key: serverKey }: Credentials,
    { retryForMs, fetch }: Calling,
    /** Name of the build and of the queue. */
    private readonly name: string,
  ) {
    this.admin = createAdmin({ baseUrl, serverKey, retryForMs, platform: { fetch } })
  }

  get queueId(): string {
    return this.name.replaceAll('-', '_')
  }

  /** Uploads an archive as a build; resolves when the build is ready. */
  async upload(archive: Uint8Array | undefined): Promise<void> {
    const zip = archive ?? (await packGameServer())
    await this.admin.builds.upload({ name: this.name, executablePath: 'server.mjs', zip })
  }

  /** Registers a container image as a build; resolves when the build is ready. */
  async register(imageUrl: string): Promise<void> {
    await this.admin.builds.registerImage({ name: this.name, imageUrl })
  }

  /** Creates a queue of two against two players with similar ratings. */
  async makeQueue(readyCheck: boolean): Promise<void> {
    await this.admin.queues.create({
      queue_id: this.queueId,
      name: 'Demo: two against two',
      max_players: 2,
      // Every run of the demo has the same four players, and several may run at once.
      concurrent_matches: true,
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

  /** Requests a newcomer for each open seat of a match. */
  async fillSeats(matchId: string): Promise<void> {
    await this.admin.matches.backfill(matchId)
  }
}
