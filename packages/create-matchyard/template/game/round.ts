import type { Standing, Star } from './messages'

/** Number of stars that wins the round. */
export const TO_WIN = 5
const LONGEST_NAME = 24

/**
 * The rules: the first player who clicks a star gets it, and the first player with five stars wins. The class knows
 * nothing of networks.
 */
export class Round {
  private readonly players = new Map<string, { name: string; points: number }>()
  private star: Star | null = null
  private winner: string | null = null

  /** `seats` is the number of players; `random` returns a number from 0 to 1. */
  constructor(
    private readonly seats: number,
    private readonly random: () => number = Math.random,
  ) {}

  /** Adds a connected player; the last one begins the round. A player who comes back keeps the points. */
  join(id: string, name: string): void {
    const known = this.players.get(id)
    this.players.set(id, { name: name.slice(0, LONGEST_NAME), points: known?.points ?? 0 })
    if (this.players.size >= this.seats && this.star === null && this.winner === null) this.nextStar(1)
  }

  /** Handles a click on a star; returns whether this player was the first. */
  catch(id: string, n: number): boolean {
    const player = this.players.get(id)
    if (player === undefined || this.star?.n !== n) return false
    player.points += 1
    if (player.points >= TO_WIN) this.end(id)
    else this.nextStar(n + 1)
    return true
  }

  /** Removes a player for good; the remaining player wins. */
  leave(id: string): void {
    if (!this.players.delete(id) || this.winner !== null) return
    const [left] = this.players.keys()
    if (left !== undefined) this.end(left)
  }

  get standing(): Standing {
    const players = [...this.players].map(([id, player]) => ({ id, ...player }))
    return { players, star: this.star, winner: this.winner }
  }

  private nextStar(n: number): void {
    // A star at the very edge would be half hidden.
    const place = () => Math.round(8 + this.random() * 84)
    this.star = { n, x: place(), y: place() }
  }

  private end(winner: string): void {
    this.winner = winner
    this.star = null
  }
}
