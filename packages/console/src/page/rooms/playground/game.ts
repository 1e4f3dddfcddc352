import type { Queue } from '@matchyard/client/admin'
import { signal } from '@preact/signals'
import type { OpenProject } from '../../data/project'
import { Tester } from './player'
import { playersNeeded, suitingState } from './states'

/** More in one page are no players any more, but a load test. */
export const MOST_PLAYERS = 24

/** The players of the playground: they stay while one looks elsewhere in the console, and go with the project. */
export class Game {
  readonly testers = signal<readonly Tester[]>([])
  /** The match that one of them is in, or was in last. */
  readonly lastMatch = signal<string | undefined>(undefined)
  /** Whether the console answers for the players by its server key, where the project asks players for a token. */
  isVouched = false
  /** Follows the lobbies, for those who have no stream of their own. */
  private unfollow: (() => void) | undefined
  private count = 0

  constructor(private readonly project: OpenProject) {}

  add(): Tester {
    this.unfollow ??= this.project.store.want('lobby')
    const tester = new Tester(`tester-${++this.count}-${tag}`, this.count - 1, {
      store: this.project.store,
      key: this.isVouched ? this.project.serverKey : this.project.clientKey,
      onMatch: (matchId) => {
        this.lastMatch.value = matchId
      },
    })
    this.testers.value = [...this.testers.value, tester]
    return tester
  }

  remove(tester: Tester): void {
    tester.put()
    this.testers.value = this.testers.value.filter((one) => one !== tester)
  }

  clear(): void {
    for (const tester of this.testers.value) tester.put()
    this.testers.value = []
    this.lastMatch.value = undefined
    this.unfollow?.()
    this.unfollow = undefined
  }

  /** As many players as a match of the queue takes, each in a lobby of its own, searching. */
  async playTest(queue: Queue): Promise<void> {
    for (const tester of this.testers.value) if (tester.lobby.value === undefined) this.remove(tester)
    const wanted = Math.min(playersNeeded(queue), MOST_PLAYERS)
    const testers = Array.from({ length: wanted }, () => this.add())
    const hasMatchmaking = queue.matchmaking !== undefined
    await Promise.all(
      testers.map(async (tester) => {
        tester.acceptsAll = true
        await tester.create(queue.queue_id, suitingState(queue))
        if (hasMatchmaking) tester.find()
      }),
    )
  }
}

/** Two pages must not have the same players. */
const tag = Math.random().toString(36).slice(2, 6)

let game: { readonly of: OpenProject; readonly game: Game } | undefined

/** The game of a project, the same as long as the project is open. */
export function gameOf(project: OpenProject): Game {
  if (game?.of !== project) {
    game?.game.clear()
    game = { of: project, game: new Game(project) }
  }
  return game.game
}
