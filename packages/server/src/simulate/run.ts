import { type Outcome, type Progress, play } from '@matchyard/matchmaking/simulation'
import { arrivalsOf } from './arrivals'
import type { ScenarioFile } from './scenario'

export type { Outcome }

/** Runs a scenario with its arrivals. */
export const runScenario = (scenario: ScenarioFile, tell: (progress: Progress) => void = () => {}): Promise<Outcome> =>
  play(scenario, arrivalsOf(scenario), { tell })
