import type { Queue } from '@matchyard/client/admin'
import { signal } from '@preact/signals'
import type { OpenProject } from '../../data/project'
import { Tester } from './player'
import { playersNeeded, suitingState } from './states'

/** Maximum number of test players in the page. */
export const MOST_PLAYERS = 24

/**
 * The test players of a project. They stay in the page while other sections of the console are shown, and are removed
 * when another project opens.
 */
export class Game {
  readonly testers = signal<readonly Tester[]>([])
  /** Id of the match that a test player is in, or was in last. */
  readonly lastMatch = signal<string | undefined>(undefined)
  /** Whether new test players use the server key, because the project requires player tokens. */
  isVouched = false
  /** Ends the live read of the lobbies, which gives events to test players without a separate stream. */
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

  /**
   * Adds the players of one match, at most `MOST_PLAYERS`, each in a separate lobby. In a queue with matchmaking all
   * lobbies start to search. Test players without a lobby are removed first.
   */
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

/** Random part of the player ids, so that two pages do not use the same players. */
const tag = Math.random().toString(36).slice(2, 6)

let game: { readonly of: OpenProject; readonly game: Game } | undefined

/** Returns the test players of a project, the same object while the project is open. */
export function gameOf(project: OpenProject): Game {
  if (game?.of !== project) {
    game?.game.clear()
    game = { of: project, game: new Game(project) }
  }
  return game.game
}
