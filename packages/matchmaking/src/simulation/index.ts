export type { FieldDraw, Weights } from '../rules/value-kind'
export {
  type Arriving,
  generatedArrivals,
  type RecordedArrivalJson,
  replayedArrivals,
  START_AT,
  spanOf,
} from './arrivals'
export type { AskingFigures } from './asking'
export type { BandFigures, BandsFigures } from './bands'
export { exponential, generator, standardNormal } from './draw'
export type { TimelinePoint } from './figures'
export type { PlayingFigures } from './playing'
export { configOfQueue, type QueueJson, scenarioOfQueue } from './queue-json'
export { type Outcome, type PlayOptions, type Progress, play } from './run'
export {
  DEFAULT_TIMEOUT_SECONDS,
  type GeneratedArrivals,
  type Live,
  type Scenario,
  TICK_SECONDS,
  WILLING,
} from './scenario'
export type { UnmatchedFigures, UnmatchedReason } from './unmatched'
