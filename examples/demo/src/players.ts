import { createClient, isMatchyardError, type Lobby, type LobbySnapshot, type Match } from '@matchyard/client'
import type { Credentials } from '@matchyard/example-arena'
import type { Calling } from './studio'

/** A player: a client and the player's lobby. */
export class Player {
  /** Resolves when the player has accepted a match. */
  readonly accepted: Promise<void>
  private sayYes = () => {}
  private givesUp: NodeJS.Timeout | undefined

  private constructor(
    readonly name: string,
    readonly lobby: Lobby,
    private readonly letGo: () => void,
  ) {
    this.accepted = new Promise((resolve) => {
      this.sayYes = resolve
    })
  }

  /** Returns a player in a lobby: a new lobby without a code, else the friend's lobby of this invite code. */
  static async in(table: Table, name: string, mmr: number, inviteCode?: string | null): Promise<Player> {
    const { credentials, queueId, retryForMs, fetch } = table
    const { base_url: baseUrl, client_key: clientKey } = credentials
    const client = createClient({ baseUrl, clientKey, player: name, retryForMs, platform: { fetch } })
    const state = { mmr }
    const lobby =
      inviteCode == null
        ? await client.lobbies.create({ queueId, isPrivate: true, state })
        : await client.lobbies.join({ code: inviteCode, state })
    const player = new Player(name, lobby, () => client.close())
    table.seated.push(player)
    return player
  }

  /** Resolves with the lobby when the condition holds; rejects when the lobby closes first. */
  until(holds: (lobby: LobbySnapshot) => boolean): Promise<LobbySnapshot> {
    return new Promise((resolve, reject) => {
      const look = () => {
        if (!holds(this.lobby.current)) return
        for (const stop of stops) stop()
        resolve(this.lobby.current)
      }
      const stops = [
        this.lobby.on('change', look),
        this.lobby.on('closed', (reason) => reject(new Error(`${this.name}'s lobby is over: ${reason}`))),
      ]
      look()
    })
  }

  /** Resolves when the event stream is open. */
  following(): Promise<void> {
    return new Promise((resolve) => {
      const look = () => {
        if (this.lobby.connection !== 'live') return
        stop()
        resolve()
      }
      const stop = this.lobby.on('connection', look)
      look()
    })
  }

  /** Never resolves; rejects when the lobby's stream is silent for this many milliseconds. */
  abandoned(patienceMs: number): Promise<never> {
    return new Promise((_, reject) => {
      this.lobby.on('connection', (now) => {
        clearTimeout(this.givesUp)
        if (now === 'live') return
        this.givesUp = setTimeout(() => {
          if (this.lobby.closed === undefined) reject(new Error('nothing is heard of the service any more'))
        }, patienceMs)
      })
    })
  }

  /** Resolves with the match when it has begun. Accepts the ready check if the queue has one. */
  async search(): Promise<Match<Lobby>> {
    try {
      return await this.lobby.findMatch({
        onProposal: async (proposal) => {
          await proposal.accept()
          this.sayYes()
        },
      })
    } catch (error) {
      if (!isMatchyardError(error, 'MATCHMAKING_ENDED') || error.exit === null) throw error
      throw new Error(`the match came to nothing (${error.exit.reason}): ${error.detail}`)
    }
  }

  /** Stops following the lobby, because an open stream would keep this process alive. */
  leaveTable(): void {
    clearTimeout(this.givesUp)
    this.letGo()
  }
}

/** Settings and state that the players of a demo share. */
export interface Table extends Calling {
  readonly credentials: Credentials
  readonly queueId: string
  /** All players who have come. */
  readonly seated: Player[]
}
