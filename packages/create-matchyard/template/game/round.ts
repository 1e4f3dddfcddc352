import type { Standing, Star } from './messages'

/** Stars to win. */
export const TO_WIN = 5
const LONGEST_NAME = 24

/** The rules: the first player who clicks a star gets it, and the first with five wins. Knows nothing of networks. */
export class Round {
  private readonly players = new Map<string, { name: string; points: number }>()
  private star: Star | null = null
  private winner: string | null = null

  /** `seats`: how many play. `random`: a number from 0 to 1. */
  constructor(
    private readonly seats: number,
    private readonly random: () => number = Math.random,
  ) {}

  /** A player is there; the last one begins the round. Coming back keeps the points. */
  join(id: string, name: string): void {
    const known = this.players.get(id)
    this.players.set(id, { name: name.slice(0, LONGEST_NAME), points: known?.points ?? 0 })
    if (this.players.size >= this.seats && this.star === null && this.winner === null) this.nextStar(1)
  }

  /** A player has clicked a star; answers whether they were the first. */
  catch(id: string, n: number): boolean {
    const player = this.players.get(id)
    if (player === undefined || this.star?.n !== n) return false
    player.points += 1
    if (player.points >= TO_WIN) this.end(id)
    else this.nextStar(n + 1)
    return true
  }

  /** A player is gone for good: the one who is left has won. */
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
    // Not at the very edge, where half of it could not be seen.
    const place = () => Math.round(8 + this.random() * 84)
    this.star = { n, x: place(), y: place() }
  }

  private end(winner: string): void {
    this.winner = winner
    this.star = null
  }
}
