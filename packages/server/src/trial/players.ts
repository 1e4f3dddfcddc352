import { standardNormal } from '@matchyard/matchmaking/simulation'

/** Estimate of a skill by the rating, as the service has it. */
export interface RatedSkill {
  readonly mu: number
  readonly sigma: number
}

/** Synthetic player. The service never learns `skill`. */
export interface TrialPlayer {
  readonly playerId: string
  readonly skill: number
  lobbyId: string
  /** Estimate at the player's last entry into the queue. */
  rated: RatedSkill
  /** Instant of the last entry into the queue. */
  enteredAt: number
  /** Number of matches that the player has finished, in all seasons. */
  played: number
}

/** Returns the players of a trial, with true skills of a normal distribution around the initial skill. */
export const drawPlayers = (count: number, initial: RatedSkill, spread: number, random: () => number): TrialPlayer[] =>
  Array.from({ length: count }, (_, index) => ({
    ...{ playerId: `player_${index}`, skill: initial.mu + spread * initial.sigma * standardNormal(random) },
    ...{ lobbyId: '', rated: initial, enteredAt: 0, played: 0 },
  }))
