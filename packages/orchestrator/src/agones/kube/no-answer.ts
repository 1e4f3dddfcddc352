import { ApiRefusal, Unreachable } from './errors'

/** Error of a call that the cluster did not answer within the timeout. */
export class Unanswered extends Unreachable {}

/** Whether a call failed because the cluster refused it or does not answer. */
export const isNoAnswer = (error: unknown): error is ApiRefusal | Unreachable =>
  error instanceof ApiRefusal || error instanceof Unreachable
